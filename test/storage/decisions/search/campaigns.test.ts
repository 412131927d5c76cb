import { prepareSqlite } from '../../prepare-storage.ts';
import { testCampaigns } from './campaigns.contract.ts';

testCampaigns('SQLite', prepareSqlite);
