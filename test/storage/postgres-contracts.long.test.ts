import { testAccountLinks, testLinkUsedAtOnce } from './accounts/account-links.contract.ts';
import { testAccounts } from './accounts/accounts.contract.ts';
import { testInvitations } from './accounts/invitations.contract.ts';
import { testPasskeys } from './accounts/passkeys.contract.ts';
import { testSessions } from './accounts/sessions.contract.ts';
import { testTwoFactor } from './accounts/two-factor.contract.ts';
import { testAttacks } from './attacks/attacks.contract.ts';
import { testAudit } from './audit/audit.contract.ts';
import { testDecisions } from './decisions/decisions.contract.ts';
import { testRepeats } from './decisions/repeats.contract.ts';
import { testScoringLedger } from './decisions/scoring-ledger.contract.ts';
import { testCampaignDetails } from './decisions/search/campaign-details.contract.ts';
import { testCampaignKinds } from './decisions/search/campaign-kinds.contract.ts';
import { testCampaigns } from './decisions/search/campaigns.contract.ts';
import { testDecisionScans } from './decisions/search/decision-scans.contract.ts';
import { testDecisionSearch } from './decisions/search/decision-search.contract.ts';
import { testDomainUsers } from './domain-users/domain-users.contract.ts';
import { testExports } from './exports/exports.contract.ts';
import { testConfirmations } from './held-signups/confirmations.contract.ts';
import { testHeldMails } from './held-signups/held-mails.contract.ts';
import { testHeldSignups } from './held-signups/held-signups.contract.ts';
import { testReports } from './held-signups/reports.contract.ts';
import { testReviews } from './held-signups/reviews.contract.ts';
import { testRoomAndBudgets } from './held-signups/room-and-budgets.contract.ts';
import { testHostileText } from './hostile-text.contract.ts';
import { testIncidents } from './incidents/incidents.contract.ts';
import { testKeys } from './keys/keys.contract.ts';
import { testOwnKeys } from './keys/own-keys.contract.ts';
import { testLists } from './lists/lists.contract.ts';
import { forPostgres } from './prepare-postgres.ts';
import type { PrepareStorage } from './prepare-storage.ts';
import { testStorage } from './storage.contract.ts';

type Contract = (engine: string, prepare: PrepareStorage, nodes?: 1 | 2) => void;

const OF_ONE_NODE: readonly Contract[] = [
  ...[testAccounts, testAccountLinks, testInvitations, testPasskeys, testSessions, testTwoFactor],
  ...[testAttacks, testAudit, testScoringLedger, testDecisions, testRepeats, testDecisionSearch],
  ...[testDecisionScans, testCampaigns, testCampaignKinds, testCampaignDetails, testDomainUsers],
  ...[testExports, testReviews, testHostileText, testIncidents, testKeys, testOwnKeys, testLists],
  testStorage,
];
const OF_TWO_NODES: readonly Contract[] = [testRoomAndBudgets, testConfirmations, testReports, testHeldMails];

// The suite of each topic runs the same through PgBouncer.
forPostgres(
  'contracts of all topics',
  (engine, prepare) => {
    for (const contract of OF_ONE_NODE) contract(engine, prepare);
    testHeldSignups(engine, prepare);
    testLinkUsedAtOnce(engine, prepare, 2);
    for (const contract of OF_TWO_NODES) {
      contract(engine, prepare);
      contract(`${engine}, two nodes`, prepare, 2);
    }
  },
  ['PostgreSQL'],
);
