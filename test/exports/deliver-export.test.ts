import { setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { Clock } from '../../src/clock.ts';
import { openExports } from '../../src/exports/open-exports.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { serveFeed } from '../helpers/feed-server.ts';
import { until } from '../helpers/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhook-receiver.ts';
import { decisionWith } from '../storage/decisions/decision-fixture.ts';
import { prepareSqlite } from '../storage/prepare-storage.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const DAY_MS = 86_400_000;

function deliver(
  t: ExecutionContext,
  receiver: Pick<WebhookReceiver, 'url'>,
  { records, clock = Date.now, isAllowed = true }: { records: Storage; clock?: Clock; isAllowed?: boolean },
) {
  const metrics = createMetrics();
  const said: string[] = [];
  const say = (_: object, message: string) => said.push(message);
  const private_networks = isAllowed ? ['127.0.0.0/8'] : [];
  const exporting = openExports({
    configs: [{ name: 'warehouse', url: receiver.url, secrets: [SECRET], private_networks }],
    ...{ store: records.exports, metrics: metrics.exports, clock },
    log: { info: say, warn: say, error: say },
  });
  t.teardown(() => exporting.close(0));
  const count = (name: string) => [
    ...(metrics.counters.find((counter) => counter.name === name)?.series() ?? []),
  ];
  return { exporting, said, count };
}

async function record(records: Storage, count: number, processedAt = Date.now()): Promise<readonly string[]> {
  const decisions = Array.from({ length: count }, () => decisionWith({ processedAt }));
  return await Promise.all(decisions.map((decision) => records.decisions.record(decision)));
}

const known = (records: Storage) => until(async () => (await records.exports.progress('warehouse')) !== null);
const hasAll = (receiver: WebhookReceiver, ids: readonly string[]) =>
  ids.every((id) => receiver.received.has(id));

test('every decision arrives at least once, signed, at a receiver that fails and dies', async (t) => {
  const receiver = await startWebhookReceiver(t, { secret: SECRET, fails: (attempt) => attempt % 3 === 0 });
  const open = await prepareSqlite(t);
  const records = await open(Date.now);
  const first = deliver(t, receiver, { records });
  await known(records);
  const ids = [...(await record(records, 1_500))];
  await until(() => receiver.messages.length > 0);
  await receiver.die();
  ids.push(...(await record(records, 700)));
  // A process that ends, and the next one.
  await first.exporting.close(0);
  await receiver.comeBack();
  const second = deliver(t, receiver, { records });
  await until(() => hasAll(receiver, ids));
  t.deepEqual(receiver.invalid, []);
  await until(async () => (await records.exports.progress('warehouse'))?.waiting === 0);
  t.is((await records.exports.progress('warehouse'))?.delivered, 2_200);
  await second.exporting.close();
});

test('a receiver that stays away for three days misses old decisions, which are counted, and gets new ones', async (t) => {
  let now = Date.now();
  const receiver = await startWebhookReceiver(t, { secret: SECRET });
  const open = await prepareSqlite(t);
  const records = await open(() => now);
  const { exporting, said } = deliver(t, receiver, { records, clock: () => now });
  await known(records);
  await receiver.die();
  await record(records, 3, now);
  await until(async () => (await records.exports.progress('warehouse'))?.failingSince !== null);
  now += 3 * DAY_MS + 1;
  const young = await record(records, 2, now);
  await until(async () => (await records.exports.progress('warehouse'))?.givenUp === 3);
  await receiver.comeBack();
  // The signature has the time of the sender, and the receiver compares it with its own.
  now = Date.now();
  await until(() => hasAll(receiver, young));
  t.deepEqual([...receiver.received.keys()], young);
  await exporting.close();
  t.is(said.filter((message) => message.includes('given up')).length, 1);
  t.is(said.filter((message) => message.includes('cannot be delivered')).length, 1);
});

test('a receiver with a small limit for bodies gets every decision in smaller batches', async (t) => {
  const receiver = await startWebhookReceiver(t, { secret: SECRET, maxBytes: 100_000 });
  const open = await prepareSqlite(t);
  const records = await open(Date.now);
  const { exporting, said, count } = deliver(t, receiver, { records });
  await known(records);
  const ids = await record(records, 1_200);
  await until(() => hasAll(receiver, ids));
  await until(async () => (await records.exports.progress('warehouse'))?.waiting === 0);
  t.like(await records.exports.progress('warehouse'), { delivered: 1_200, failingSince: null });
  t.deepEqual([...new Set(receiver.received.values())], [1]);
  t.deepEqual(receiver.invalid, []);
  await exporting.close();
  t.deepEqual([...new Set(said)], ['a receiver answers 413: it gets fewer decisions at a time']);
  const tooLarge = count('export_requests_total').find(([[, result]]) => result === 'status_413');
  t.is(tooLarge?.[1], said.length);
  t.true(said.length <= 9);
});

test('a single decision that is too large is tried again like any other failure', async (t) => {
  const receiver = await startWebhookReceiver(t, { secret: SECRET, maxBytes: 100 });
  const open = await prepareSqlite(t);
  const records = await open(Date.now);
  const { exporting, said } = deliver(t, receiver, { records });
  await known(records);
  await record(records, 2);
  await until(async () => (await records.exports.progress('warehouse'))?.failingSince !== null);
  await exporting.close(0);
  t.deepEqual(said, [
    'a receiver answers 413: it gets fewer decisions at a time',
    'an export cannot be delivered; it is tried again for three days',
  ]);
});

test('a receiver that answers 413 and asks for time gets it', async (t) => {
  const receiver = await startWebhookReceiver(t, {
    secret: SECRET,
    maxBytes: 10_000,
    retryAfterSeconds: 600,
  });
  const open = await prepareSqlite(t);
  const records = await open(Date.now);
  const { exporting, said } = deliver(t, receiver, { records });
  await known(records);
  await record(records, 100);
  await until(() => said.length > 0);
  await wait(300);
  await exporting.close();
  t.is(receiver.tries, 1);
});

test('of two processes one delivers, and after its end the other goes on', async (t) => {
  const receiver = await startWebhookReceiver(t, { secret: SECRET });
  const open = await prepareSqlite(t);
  const [one, two] = [await open(Date.now), await open(Date.now)];
  const first = deliver(t, receiver, { records: one });
  await known(one);
  await until(async () => first.exporting.progress()[0]?.progress !== null);
  const second = deliver(t, receiver, { records: two });
  const ids = [...(await record(one, 10))];
  await until(() => hasAll(receiver, ids));
  await first.exporting.close();
  ids.push(...(await record(two, 10)));
  await until(() => hasAll(receiver, ids));
  t.deepEqual([...new Set(receiver.received.values())], [1]);
  await second.exporting.close();
});

test('an address that is not public and not named is never contacted', async (t) => {
  const receiver = await startWebhookReceiver(t, { secret: SECRET });
  const open = await prepareSqlite(t);
  const records = await open(Date.now);
  const { exporting, count } = deliver(t, receiver, { records, isAllowed: false });
  await known(records);
  await record(records, 1);
  await until(() => count('export_requests_total').length > 0);
  t.deepEqual(count('export_requests_total')[0]?.[0], ['warehouse', 'address_refused']);
  await exporting.close();
  t.is(receiver.tries, 0);
});

test('a storage that fails stops no delivery for good', async (t) => {
  const receiver = await startWebhookReceiver(t, { secret: SECRET });
  const open = await prepareSqlite(t);
  const records = await open(Date.now);
  let isBroken = false;
  const store = {
    ...records.exports,
    nextBatch: (...args: Parameters<typeof records.exports.nextBatch>) =>
      isBroken ? Promise.reject(new Error('disk')) : records.exports.nextBatch(...args),
  };
  const { exporting, said } = deliver(t, receiver, { records: { ...records, exports: store } });
  await known(records);
  isBroken = true;
  const ids = await record(records, 5);
  await until(() => said.length > 0);
  isBroken = false;
  await until(() => hasAll(receiver, ids));
  t.deepEqual(said, ['the storage of an export does not answer']);
  await exporting.close();
});

test('a stop does not wait for a receiver that never answers, and the batch is sent by the next process', async (t) => {
  const silent = await serveFeed(t, () => {});
  const open = await prepareSqlite(t);
  const records = await open(Date.now);
  const { exporting } = deliver(t, { url: silent.origin }, { records });
  await known(records);
  const ids = await record(records, 3);
  await until(() => silent.requests.length > 0);
  await exporting.close(0);
  const receiver = await startWebhookReceiver(t, { secret: SECRET });
  const next = deliver(t, receiver, { records });
  await until(() => hasAll(receiver, ids));
  t.is(receiver.messages[0], String(silent.requests[0]?.headers['webhook-id']));
  await next.exporting.close();
});
