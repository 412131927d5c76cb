import { testPlainForm } from './plain-form.contract.ts';
import { SHOPS } from './signup-shops.ts';

for (const shop of SHOPS.slice(1)) testPlainForm(shop);
