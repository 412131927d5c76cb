import { forPostgres } from '../../prepare-postgres.ts';
import { testCampaigns } from './campaigns.contract.ts';

forPostgres('campaigns', testCampaigns);
