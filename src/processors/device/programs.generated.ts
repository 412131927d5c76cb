// Generated from data/tables/programs.yaml by scripts/generate-tables.ts. Edit that file, then run: npm run tables
export const HEADLESS: readonly string[] = [
  'HeadlessChrome', 'HeadlessShell', 'PhantomJS', 'SlimerJS', 'CasperJS', 'Puppeteer', 'Playwright',
  'Selenium', 'WebDriver', 'Cypress', 'jsdom', 'HtmlUnit', 'Zombie.js', 'Nightmare', 'wkhtmltopdf',
  'wkhtmltoimage', 'Splash', 'Headless',
];

export const TOOLS_AT_THE_START: readonly string[] = [
  'curl', 'libcurl', 'Wget', 'Wget2', 'aria2', 'HTTPie', 'xh', 'fetch', 'Ruby', 'Java', 'Python', 'Perl',
  'PHP', 'Deno', 'Bun', 'node', 'got', 'hey', 'wrk', 'siege', 'k6', 'ab', 'Paw', 'AHC', 'Dispatch', 'grpc-*',
];

export const TOOLS_ANYWHERE: readonly string[] = [
  'python-requests', 'python-urllib', 'python-urllib2', 'python-urllib3', 'python-httpx', 'aiohttp',
  'urllib3', 'pycurl', 'Scrapy', 'MechanicalSoup', 'Go-http-client', 'go-resty', 'fasthttp', 'reqwest',
  'libwww-perl', 'LWP::Simple', 'WWW-Mechanize', 'HTTP::Tiny', 'node-fetch', 'node-superagent', 'axios',
  'undici', 'unirest-*', 'Apache-HttpClient', 'Apache-HttpAsyncClient', 'Jakarta Commons-HttpClient',
  'Java-http-client', 'ReactorNetty', 'GuzzleHttp', 'Symfony HttpClient', 'Symfony BrowserKit', 'Typhoeus',
  'RestSharp', 'PEAR HTTP_Request', 'PEAR HTTP_Request2', 'Zend_Http_Client', 'PowerShell',
  'WindowsPowerShell', 'WinHttp', 'Microsoft URL Control', 'PostmanRuntime', 'Hoppscotch', 'Thunder Client',
  'bruno-runtime', 'RapidAPI', 'Apache-JMeter', 'ApacheBench', 'autocannon', 'sqlmap', 'nikto', 'zgrab',
  'masscan', 'Nmap', 'WPScan', 'gobuster', 'dirbuster', 'ffuf', 'feroxbuster', 'Acunetix', 'Nessus',
  'OpenVAS',
];

export const TOOLS_BEFORE_A_SLASH: readonly string[] = [
  'httpx', 'hyper', 'ureq', 'colly', 'needle', 'superagent', 'mechanize', 'HTTPClient', 'Guzzle', 'Faraday',
  'rest-client', 'hackney', 'insomnia', 'Locust', 'Gatling', 'Artillery', 'vegeta', 'bombardier', 'Nuclei',
  'EventMachine', 'lftp', 'Mojolicious',
];

export const SMALL_BROWSERS: readonly string[] = [
  'Dillo', 'edbrowse', 'Emacs', 'Chawan',
];

export const STANDARD_BROWSERS: readonly string[] = [
  'Chrome', 'Chromium', 'Edge', 'Firefox', 'Mobile Firefox', 'Firefox Focus', 'Safari', 'Mobile Safari',
  'Opera', 'Opera GX', 'Opera Touch', 'Samsung Internet', 'Brave', 'Vivaldi', 'DuckDuckGo', 'Whale', 'Silk',
  'Yandex', 'UCBrowser', 'MIUI Browser', 'QQBrowser', 'Huawei Browser', 'Vivo Browser', 'HeyTap', 'Quark',
  '360', 'Sogou Explorer', 'Coc Coc', 'Android Browser', 'Ecosia',
];
