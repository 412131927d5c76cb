import { forPostgres } from '../../prepare-postgres.ts';
import { testCampaignKinds } from './campaign-kinds.contract.ts';
import { testCampaigns } from './campaigns.contract.ts';

forPostgres('campaigns', (engine, prepare) => {
  testCampaigns(engine, prepare);
  testCampaignKinds(engine, prepare);
});
