import type { Clock } from '../../../clock.ts';
import { noteLabel, SIGNUP_COLUMNS } from '../../domain-users/note-domain-user.ts';
import type { StorageEngine } from '../../engine/engine.ts';
import type { ReplayableDecision, StoredDecision } from '../decision-record.ts';
import { fromDecisionRow, REPLAYABLE_COLUMNS, toReplayable } from '../decision-row.ts';
import { hasRequestId } from '../request-place.ts';
import { lookAround } from './around-decision.ts';
import { findDetails } from './campaign-details.ts';
import { findReach } from './campaign-reach.ts';
import { type DecisionPlace, formatCursor, parseCursor } from './decision-cursor.ts';
import type { DecisionFilter } from './decision-filter.ts';
import type { DecisionSearch } from './decision-search.ts';
import { findCampaign, findCampaigns, findValues } from './find-campaigns.ts';
import { nameOfTemplate, namesOfTemplates } from './name-of-template.ts';
import { placesBeginning } from './places-beginning.ts';
import { sampleDecisions } from './sample-decisions.ts';
import { sumDecisions } from './sum-decisions.ts';
import { isAtOneOf, type SearchEngine } from './time-bounds.ts';
import { walkDecisions } from './walk-decisions.ts';

/** So every page takes well under 300 ms; its cursor continues where the search stopped. */
const MAX_EXAMINED = 250_000;
const MAX_MS = 180;
/** The number of rows of one chunk: about 1 MB, which takes 5 ms to read. */
const SCAN_ROWS = 500;

export function createDecisionSearch(engine: StorageEngine, clock: Clock): DecisionSearch {
  const { db, reader, transact } = engine;
  return {
    async page(filter, cursor, limit) {
      const after = cursor === null ? null : parseCursor(cursor);
      if (cursor !== null && after === null) return null;
      const { places, next, isComplete } = await collect(engine, filter, { after, limit });
      return {
        decisions: await readDecisions(engine, places),
        next: next && formatCursor(next),
        searchedBackTo: isComplete ? null : (next?.processedAt ?? null),
      };
    },
    async find(requestId, accountId) {
      const row = await db
        .selectFrom('decisions')
        .selectAll()
        .where(hasRequestId(engine, requestId))
        .$if(accountId !== null, (query) => query.where('account_id', '=', accountId))
        .executeTakeFirst();
      return row ? fromDecisionRow(row) : null;
    },
    async beginning(text, wanted) {
      return readDecisions(engine, await placesBeginning(engine, text, wanted));
    },
    scan: (filter) => ahead(scanDecisions(engine, filter, readDecisions)),
    scanReplayable: (filter) => ahead(scanDecisions(engine, filter, readReplayable)),
    scanSummed: (filter) => ahead(sumDecisions(engine, filter)),
    sample: (filter) => sampleDecisions(engine, filter),
    around: (decision) => lookAround(engine, decision),
    async label(requestId, accountId, label) {
      return transact(async (trx) => {
        const signup = await trx
          .updateTable('decisions')
          .set({ label, concluded_at: clock() })
          .where(hasRequestId(engine, requestId))
          .$if(accountId !== null, (query) => query.where('account_id', '=', accountId))
          .returning(SIGNUP_COLUMNS)
          .executeTakeFirst();
        if (signup) await noteLabel(trx, signup, { label, now: clock() });
        return signup !== undefined;
      });
    },
    async keys(keyIds) {
      if (keyIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .select(['api_keys.id', 'api_keys.name', 'accounts.name as accountName'])
        .where('api_keys.id', 'in', keyIds)
        .execute();
      return new Map(rows.map(({ id, ...key }) => [id, key]));
    },
    campaigns: (query) => findCampaigns(reader, query),
    campaign: (query, key) => findCampaign(reader, query, key),
    reach: (query) => findReach(reader, query),
    async details(campaign) {
      const { newest, ...details } = await findDetails(engine, campaign);
      return { ...details, newest: await readReplayable(engine, newest) };
    },
    patternName: (query) => nameOfTemplate(reader, query),
    patternNames: (campaigns) => namesOfTemplates(reader, campaigns),
    values: (filter, wanted) => findValues(reader, filter, wanted),
  };
}

async function* scanDecisions<T>(
  engine: SearchEngine,
  filter: DecisionFilter,
  read: (engine: SearchEngine, places: readonly DecisionPlace[]) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for await (const { found } of walkDecisions(engine, filter, { after: null, limit: SCAN_ROWS })) {
    yield await read(engine, found);
  }
}

/** Reads one chunk ahead, so that the reader's thread works while the one before is being used. */
async function* ahead<T>(chunks: AsyncGenerator<T>): AsyncGenerator<T> {
  const take = () => {
    const taken = chunks.next();
    // Awaited with the next chunk, or never: no unhandled rejection.
    taken.catch(() => {});
    return taken;
  };
  try {
    for (let next = take(); ; ) {
      const { done, value } = await next;
      if (done) return;
      next = take();
      yield value;
    }
  } finally {
    chunks.return(undefined).catch(() => {});
  }
}

interface Collected {
  readonly places: readonly DecisionPlace[];
  readonly next: DecisionPlace | null;
  /** False when the search stopped before the page was full. */
  readonly isComplete: boolean;
}

/** Searches for one more row than the page has, to know whether there is a next page. */
async function collect(
  engine: SearchEngine,
  filter: DecisionFilter,
  { after, limit }: { readonly after: DecisionPlace | null; readonly limit: number },
): Promise<Collected> {
  const startedAt = performance.now();
  const places: DecisionPlace[] = [];
  let seen = 0;
  for await (const { found, next, examined } of walkDecisions(engine, filter, { after, limit: limit + 1 })) {
    places.push(...found);
    if (places.length > limit) {
      const page = places.slice(0, limit);
      return { places: page, next: page.at(-1) ?? null, isComplete: true };
    }
    seen += examined;
    const isEnough = seen >= MAX_EXAMINED || performance.now() - startedAt > MAX_MS;
    if (next && isEnough) return { places, next, isComplete: false };
  }
  return { places, next: null, isComplete: true };
}

/** The whole decisions, in the order of the places. */
async function readDecisions(
  engine: SearchEngine,
  places: readonly DecisionPlace[],
): Promise<readonly StoredDecision[]> {
  if (places.length === 0) return [];
  const rows = await engine.reader
    .selectFrom('decisions')
    .selectAll()
    .where(isAtOneOf(engine, places))
    .execute();
  return inOrder(rows, places).map(fromDecisionRow);
}

async function readReplayable(
  engine: SearchEngine,
  places: readonly DecisionPlace[],
): Promise<readonly ReplayableDecision[]> {
  if (places.length === 0) return [];
  const rows = await engine.reader
    .selectFrom('decisions')
    .select(REPLAYABLE_COLUMNS)
    .where(isAtOneOf(engine, places))
    .execute();
  return inOrder(rows, places).map(toReplayable);
}

/** Rows that were deleted meanwhile are missing. */
function inOrder<Row extends { readonly id: number }>(
  rows: readonly Row[],
  places: readonly DecisionPlace[],
): readonly Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return places.flatMap(({ id }) => byId.get(id) ?? []);
}
