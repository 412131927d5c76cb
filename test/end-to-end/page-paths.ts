/** The pages of each role by their paths. */
export const OF_STRANGERS = ['/sign-in', '/register', '/forgotten', '/links/nothing'];
export const OF_SUPPORT = ['/decisions', '/review', '/account', '/search?q=nothing', '/keys'];
export const OF_MEMBERS = [
  '/overview',
  '/decisions',
  '/keys',
  '/usage',
  '/account',
  '/search?q=nothing',
  '/lists',
];
export const OF_OPERATORS = [
  '/overview',
  '/overview?range=7d',
  '/overview/nothing',
  '/decisions',
  '/decisions?level=high&within=day&code=disposable_email',
  '/decisions?domain=nothing.example',
  '/decisions?level=nothing',
  '/search?q=operator',
  '/search?q=nothing',
  '/review',
  '/campaigns?within=day',
  '/campaigns?by=cohort&within=week',
  '/lists',
  '/routes',
  '/simulator',
  '/keys',
  '/usage',
  '/accounts',
  '/account',
  '/account/two-factor',
  '/audit',
];
export const WITHOUT_DATA =
  '/overview /decisions /review /campaigns /lists /routes /simulator /keys /usage /audit'.split(' ');
