import test from 'ava';
import fc from 'fast-check';
import { createLiveTables, type TableSource } from '../../../src/dashboard/simulator/live-tables.ts';
import { until } from '../../helpers/until.ts';
import { anyDecisions, decisionOf } from '../../simulation/any-decisions.ts';

const decision = {
  ...decisionOf({ email: null, ip_address: null, velocity: null, user_agent: null }, 0),
  count: 1,
};
/** Without a sample. */
const sourceOf = (all: TableSource['all']): TableSource => ({ sample: async () => [], all });

/** Chunks that arrive when the test lets them. */
function gated() {
  let next = () => {};
  let isClosed = false;
  async function* chunks() {
    try {
      for (;;) {
        await new Promise<void>((resolve) => {
          next = resolve;
        });
        yield [decision];
      }
    } finally {
      isClosed = true;
    }
  }
  return { chunks, next: () => next(), isClosed: () => isClosed };
}

test('a table is read once, and the next question finds it', async (t) => {
  const tables = createLiveTables(() => 0);
  const decisions = fc
    .sample(anyDecisions(10), { numRuns: 5, seed: 2 })
    .flat()
    .map((one) => ({ ...one, count: 1 }));
  let reads = 0;
  async function* chunks() {
    reads++;
    yield decisions;
  }
  t.is(tables.ask('a', sourceOf(chunks))?.table, null);
  await until(() => tables.ask('a', sourceOf(chunks))?.table !== null);
  t.is(tables.ask('a', sourceOf(chunks))?.table?.decisions, decisions.length);
  t.is(tables.ask('a', sourceOf(chunks))?.read, decisions.length);
  t.is(reads, 1);
});

test('two tables are read at once, and a third must wait', async (t) => {
  const tables = createLiveTables(() => 0);
  const [one, two, three] = [gated(), gated(), gated()];
  t.truthy(tables.ask('one', sourceOf(one.chunks)));
  t.truthy(tables.ask('two', sourceOf(two.chunks)));
  t.is(tables.ask('three', sourceOf(three.chunks)), null);
});

test('reading ends when no page asks for it any more', async (t) => {
  let now = 0;
  const tables = createLiveTables(() => now);
  const source = gated();
  t.truthy(tables.ask('a', sourceOf(source.chunks)));
  now = 60_000;
  await until(() => {
    source.next();
    return source.isClosed();
  });
  t.pass();
});

test('an error of the records reaches the next question, and the one after reads again', async (t) => {
  const tables = createLiveTables(() => 0);
  async function* broken() {
    yield [decision];
    throw new Error('the records are away');
  }
  tables.ask('a', sourceOf(broken));
  let said = '';
  await until(() => {
    try {
      tables.ask('a', sourceOf(broken));
    } catch (error) {
      said = (error as Error).message;
    }
    return said !== '';
  });
  t.is(said, 'the records are away');
  t.is(tables.ask('a', sourceOf(gated().chunks))?.table, null);
});

test('a sample answers before all decisions are read, and they replace it', async (t) => {
  const tables = createLiveTables(() => 0);
  const source = gated();
  const labelled = { ...decision, label: 'fraud' as const, count: 3 };
  const live = tables.ask('a', {
    sample: async () => [{ ...decision, count: 40 }, { ...decision, count: 40 }, labelled],
    all: async function* () {
      for await (const chunk of source.chunks()) {
        yield chunk;
        return;
      }
    },
  });
  await live?.hasFirst;
  t.is(live?.table, null);
  t.is(live?.estimate?.table.decisions, 83);
  t.deepEqual(live?.estimate?.sampled, { all: 3, others: 2, fraud: 1, legitimate: 0 });
  await until(() => {
    source.next();
    return live?.table !== null;
  });
  t.is(live?.table?.decisions, 1);
  t.is(live?.estimate, null);
});

test('a sample that has all decisions is no estimate: the first answer is exact', async (t) => {
  const tables = createLiveTables(() => 0);
  const live = tables.ask('a', {
    sample: async () => [decision, decision],
    all: async function* () {
      yield [decision, decision];
    },
  });
  await live?.hasFirst;
  t.is(live?.estimate, null);
  t.is(live?.table?.decisions, 2);
});
