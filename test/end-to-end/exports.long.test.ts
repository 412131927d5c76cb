import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { freePort } from '../helpers/free-port.ts';
import { IS_FULL_PROOF } from '../helpers/full-proof.ts';
import { gatekeeper, type RunningGatekeeper, startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { startWebhookReceiver } from '../helpers/webhook-receiver.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const DECISIONS = IS_FULL_PROOF ? 10_000 : 800;
const CONCURRENCY = 16;
const DEAD_MS = IS_FULL_PROOF ? 60_000 : 5_000;

const configOf = (url: string, records: string) => `
api: {listen: "127.0.0.1:0"}
storage: {records: "${records}"}
privacy: {hash_secret: "${'h'.repeat(40)}"}
scoring: {dns: {enabled: false}}
log: {level: warn}
exports:
  - {name: warehouse, url: "${url}", secrets: ["${SECRET}"], private_networks: [127.0.0.0/8]}
`;

/** Scores until there are so many answers; an answer with 200 has its request id in `acknowledged`. */
async function score(
  { url }: Pick<RunningGatekeeper, 'url'>,
  { key, acknowledged, upTo }: { key: string; acknowledged: Set<string>; upTo: number },
): Promise<void> {
  let number = acknowledged.size;
  const one = async (): Promise<boolean> => {
    try {
      const answer = await fetch(`${url}/score-signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ email: `person${number++}@example.com`, ip_address: '203.0.114.9' }),
      });
      const body = (await answer.json()) as { request_id: string };
      if (answer.status === 200) acknowledged.add(body.request_id);
      return true;
    } catch {
      return false; // Killed.
    }
  };
  const lane = async () => {
    while (acknowledged.size < upTo && (await one()));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
}

/** @param otherNodes Beside the process that is asked and killed. */
async function run(t: ExecutionContext, records: string, otherNodes: number): Promise<void> {
  t.timeout(1_200_000);
  let random = 1;
  const receiver = await startWebhookReceiver(t, {
    secret: SECRET,
    fails: () => {
      random = (random * 48_271) % 2_147_483_647;
      return random % 10 < 3;
    },
  });
  const folder = temporaryFolder(t);
  const config = configOf(receiver.url, records);
  let process = await startGatekeeperProcess(t, folder, config);
  const others = await Promise.all(
    Array.from({ length: otherNodes }, () => startGatekeeperProcess(t, temporaryFolder(t), config)),
  );
  const created = await gatekeeper(folder, 'keys', 'create', '--name', 'test', '--plan', 'unlimited');
  const key = created.stdout.trim();
  const acknowledged = new Set<string>();
  for (const upTo of [0.2 * DECISIONS, 0.4 * DECISIONS, 0.6 * DECISIONS]) {
    await score(process, { key, acknowledged, upTo });
    if (upTo === 0.4 * DECISIONS) {
      await receiver.die();
      setTimeout(() => void receiver.comeBack(), DEAD_MS);
    }
    // Killed while requests are under way.
    const rest = score(process, { key, acknowledged, upTo: upTo + 500 });
    await until(() => acknowledged.size >= upTo + 100);
    await process.end('SIGKILL');
    await rest;
    process = await startGatekeeperProcess(t, folder, config);
  }
  await score(process, { key, acknowledged, upTo: DECISIONS });
  await until(() => [...acknowledged].every((id) => receiver.received.has(id)));
  t.deepEqual(receiver.invalid, []);
  t.true(acknowledged.size >= DECISIONS);
  const times = [...receiver.received.values()];
  t.log(
    `${acknowledged.size} acknowledged, ${receiver.received.size} received, ${times.filter((n) => n > 1).length} of them more than once, ${receiver.tries} tries`,
  );
  for (const node of [process, ...others]) t.is(await node.end('SIGTERM'), 0);
}

test(`each of ${DECISIONS} decisions is delivered at least once while the receiver fails, dies for ${DEAD_MS / 1_000} s, and the gate is killed`, (t) =>
  run(t, 'sqlite:./data/gatekeeper.db', 0));

test('a new export has the decisions that were made while the process still started', async (t) => {
  const receiver = await startWebhookReceiver(t, { secret: SECRET });
  const folder = temporaryFolder(t);
  const records = 'sqlite:./data/gatekeeper.db';
  // The key is made while no export is configured.
  const config = configOf(receiver.url, records);
  writeFileSync(join(folder, 'gatekeeper.yaml'), config.slice(0, config.indexOf('exports:')));
  const key = (
    await gatekeeper(folder, 'keys', 'create', '--name', 'test', '--plan', 'unlimited')
  ).stdout.trim();
  const port = await freePort();
  const acknowledged = new Set<string>();
  let isReady = false;
  const early = (async () => {
    const url = `http://127.0.0.1:${port}`;
    while (!isReady) {
      await score({ url }, { key, acknowledged, upTo: acknowledged.size + CONCURRENCY });
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })();
  const process = await startGatekeeperProcess(t, folder, config.replace('127.0.0.1:0', `127.0.0.1:${port}`));
  isReady = true;
  await early;
  t.true(acknowledged.size > 0);
  await until(() => [...acknowledged].every((id) => receiver.received.has(id)));
  t.is(await process.end('SIGTERM'), 0);
});

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
/** The suite of the storage has both. */
const ADDRESSES = IS_FULL_PROOF ? (['direct', 'pooled'] as const) : (['pooled'] as const);

for (const address of ADDRESSES) {
  testPostgres(`the same by two nodes on PostgreSQL, of which one is killed: ${address}`, async (t) => {
    const { [address]: records } = await postgresDatabase(t, { isEmpty: true });
    await run(t, records, 1);
  });
}
