import type { Migration } from '../engine/migrate.ts';
import { initial } from './0001-initial.ts';
import { heldSignups } from './0002-held-signups.ts';
import { people } from './0003-people.ts';
import { decisionSearch } from './0004-decision-search.ts';
import { rollups } from './0005-rollups.ts';
import { listsAndAudit } from './0006-lists-and-audit.ts';
import { usageByKey } from './0007-usage-by-key.ts';
import { repeats } from './0008-repeats.ts';
import { storageBounds } from './0009-storage-bounds.ts';
import { heldSignupSenders } from './0010-held-signup-senders.ts';
import { foldedHeldSignups } from './0011-folded-held-signups.ts';
import { wantedActions } from './0012-wanted-actions.ts';
import { exportsOfDecisions } from './0013-exports.ts';
import { keySearch } from './0016-key-search.ts';
import { keyScopes } from './0017-key-scopes.ts';
import { correctedSignups } from './0022-corrected-signups.ts';
import { signupReviews } from './0024-signup-reviews.ts';
import { attackEvents, postgresAttackEvents } from './0026-attack-events.ts';
import { alertDeliveries } from './0027-alert-deliveries.ts';
import { domainUsers } from './0028-domain-users.ts';
import { concludedDecisions } from './0029-concluded-decisions.ts';
import { replayedAnswers } from './0030-replayed-answers.ts';
import { twoFactor } from './0031-two-factor.ts';
import { passkeysAndInvitations } from './0032-passkeys-and-invitations.ts';
import { secretFingerprints } from './0033-secret-fingerprints.ts';
import { incidents, postgresIncidents } from './0034-incidents.ts';
import { fleetSecrets } from './postgres/0014-fleet-secrets.ts';
import { jobs } from './postgres/0015-jobs.ts';
import { runtimeRole } from './postgres/0018-runtime-role.ts';
import { changes } from './postgres/0019-changes.ts';
import { nodes } from './postgres/0020-nodes.ts';
import { feedCopies } from './postgres/0021-feed-copies.ts';
import { replayedAnswers as replayedAnswersOfNodes } from './postgres/0030-replayed-answers.ts';
import { baseline } from './postgres/baseline.ts';

export const SQLITE_MIGRATIONS: readonly Migration[] = [
  initial,
  heldSignups,
  people,
  decisionSearch,
  rollups,
  listsAndAudit,
  usageByKey,
  repeats,
  storageBounds,
  heldSignupSenders,
  foldedHeldSignups,
  wantedActions,
  exportsOfDecisions,
  keySearch,
  keyScopes,
  correctedSignups,
  signupReviews,
  attackEvents,
  alertDeliveries,
  domainUsers,
  concludedDecisions,
  replayedAnswers,
  twoFactor,
  passkeysAndInvitations,
  secretFingerprints,
  incidents,
];

/**
 * The first one is the schema that the steps above make. Later steps are written once, for both, except for those that only
 * several nodes need: SQLite leaves their versions out.
 */
export const POSTGRES_MIGRATIONS: readonly Migration[] = [
  baseline,
  exportsOfDecisions,
  fleetSecrets,
  jobs,
  keySearch,
  keyScopes,
  runtimeRole,
  changes,
  nodes,
  feedCopies,
  correctedSignups,
  signupReviews,
  postgresAttackEvents,
  alertDeliveries,
  domainUsers,
  concludedDecisions,
  replayedAnswersOfNodes,
  twoFactor,
  passkeysAndInvitations,
  postgresIncidents,
];
