import { prepareSqlite } from '../../prepare-storage.ts';
import { testCampaignKinds } from './campaign-kinds.contract.ts';
import { testCampaigns } from './campaigns.contract.ts';

testCampaigns('SQLite', prepareSqlite);
testCampaignKinds('SQLite', prepareSqlite);
