import { testFirstConfiguration } from './first-configuration.contract.ts';
import { SHOPS } from './signup-shops.ts';

for (const app of SHOPS.slice(1))
  testFirstConfiguration({ app, page: '/join', sentTo: '/join', email: 'email', token: 'csrf' });
