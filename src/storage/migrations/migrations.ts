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

export const MIGRATIONS: readonly Migration[] = [
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
];
