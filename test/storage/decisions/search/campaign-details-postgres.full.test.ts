import { forPostgres } from '../../prepare-postgres.ts';
import { testCampaignDetails } from './campaign-details.contract.ts';

forPostgres('campaign details', testCampaignDetails);
