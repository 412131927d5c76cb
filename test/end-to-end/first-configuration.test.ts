import { testFirstConfiguration } from './first-configuration.contract.ts';
import { RAILS_LIKE, SHOPS } from './signup-shops.ts';

/** `first-configurations.long.test.ts` does so with the other shops. */
for (const app of SHOPS.slice(0, 1))
  testFirstConfiguration({ app, page: '/join', sentTo: '/join', email: 'email', token: 'csrf' });
testFirstConfiguration({
  app: RAILS_LIKE,
  page: '/users/sign_up',
  sentTo: '/users',
  email: 'user[email]',
  token: 'authenticity_token',
});
