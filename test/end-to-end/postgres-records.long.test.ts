import { readdirSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { gatekeeper, startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`gatekeeper on PostgreSQL: ${MISSING_POSTGRES}`, () => {});

/** On a busy machine a revocation is polled for this long. */
const TRIES = 100;

const configOf = (records: string) => `api: {listen: "127.0.0.1:0"}
scoring: {dns: {enabled: false}}
storage: {records: "${records}"}
privacy: {hash_secret: "${'h'.repeat(40)}"}
`;

async function score(url: string, key: string, email = 'jane@example.com'): Promise<Response> {
  return fetch(`${url}/score-signup`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ email, ip_address: '2.125.160.216' }),
  });
}

for (const address of ['direct', 'pooled'] as const) {
  testPostgres(`two servers share keys, decisions and usage in PostgreSQL: ${address}`, async (t) => {
    const { [address]: records } = await postgresDatabase(t, { isEmpty: true });
    const folders = [temporaryFolder(t), temporaryFolder(t)] as const;
    const [one, other] = await Promise.all(
      folders.map((folder) => startGatekeeperProcess(t, folder, configOf(records))),
    );
    const urls = { one: one?.url ?? '', other: other?.url ?? '' };
    await Promise.all([one?.said('No operator exists yet. '), other?.said('No operator exists yet. ')]);
    await Promise.all([one?.said('API key exists yet'), other?.said('API key exists yet')]);
    const said = `${one?.output()}${other?.output()}`;
    t.is(said.split('/links/').length, 2, 'one of them printed a link');
    t.regex(
      said,
      /The link is valid until \S+\.\nIf it is lost: .+ accounts invite --email EMAIL --role operator/,
    );
    const [folder] = folders;

    const created = await gatekeeper(folder, 'keys', 'create', '--name', 'shop', '--plan', 'pro');
    t.is(created.code, 0, created.stderr);
    const key = created.stdout.trim();
    const answers = await Promise.all(
      [urls.one, urls.other, urls.one, urls.other].map((url) => score(url, key)),
    );
    t.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const { request_id } = ((await answers[0]?.json()) ?? {}) as { request_id: string };
    const decision = await fetch(`${urls.other}/decisions/${request_id}`, { headers: { 'x-api-key': key } });
    t.is(decision.status, 200);
    t.like(await decision.json(), { request_id, door: 'api' });
    const usage = await fetch(`${urls.one}/usage`, { headers: { 'x-api-key': key } });
    t.like(await usage.json(), { plan: 'pro', used: 4 });

    const listed = await gatekeeper(folder, 'keys', 'list', '--json');
    t.like(JSON.parse(listed.stdout), [{ name: 'shop', plan: 'pro' }]);
    const invited = await gatekeeper(folder, 'accounts', 'list', '--json');
    t.is(invited.code, 0, invited.stderr);
    const erased = await gatekeeper(folder, 'erase', 'jane@example.com');
    t.is(erased.code, 0, erased.stderr);
    t.regex(erased.stdout + erased.stderr, /4 decisions/);
    t.is(
      (await fetch(`${urls.other}/decisions/${request_id}`, { headers: { 'x-api-key': key } })).status,
      404,
    );

    const revoked = await gatekeeper(folder, 'keys', 'revoke', 'shop');
    t.is(revoked.code, 0, revoked.stderr);
    for (const url of [urls.one, urls.other]) {
      let status = 0;
      for (let i = 0; i < TRIES && status !== 401; i++) {
        ({ status } = await score(url, key));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      t.is(status, 401);
    }
    t.is(await one?.end('SIGTERM'), 0);
    t.is(await other?.end('SIGTERM'), 0);
    for (const written of folders)
      t.deepEqual(readdirSync(written), ['gatekeeper.yaml'], 'no file was written');
  });
}

testPostgres('serve names all secrets that a gate on PostgreSQL lacks, and does not start', async (t) => {
  const folder = temporaryFolder(t);
  const { direct } = await postgresDatabase(t, { isEmpty: true });
  const gate = 'proxy: {listen: "127.0.0.1:0", upstream: "http://127.0.0.1:1", routes: [{path: /signup}]}\n';
  writeFileSync(`${folder}/gatekeeper.yaml`, `${gate}storage: {records: "${direct}"}\n`);
  const { code, stderr } = await gatekeeper(folder, 'serve');
  t.is(code, 1);
  for (const place of ['privacy.hash_secret', 'verification.hold_secrets', 'assertion.keys'])
    t.true(stderr.includes(`${place}: missing;`), stderr);
  t.deepEqual(readdirSync(folder), ['gatekeeper.yaml']);
});

testPostgres(
  'a node with another hash secret than that of the records does not start, and does not erase',
  async (t) => {
    const { direct } = await postgresDatabase(t, { isEmpty: true });
    const [folder, other] = [temporaryFolder(t), temporaryFolder(t)];
    const running = await startGatekeeperProcess(t, folder, configOf(direct));
    writeFileSync(`${other}/gatekeeper.yaml`, configOf(direct).replace('h'.repeat(40), 'x'.repeat(40)));
    for (const command of [['serve'], ['erase', 'jane@example.com']]) {
      const { code, stdout, stderr } = await gatekeeper(other, ...command);
      t.is(code, 2);
      t.regex(
        stdout + stderr,
        /privacy\.hash_secret is not the secret .* [0-9a-f]{16}, and the records have [0-9a-f]{16}/,
      );
      t.notRegex(stdout + stderr, /x{40}|h{40}/);
    }
    t.is(await running.end('SIGTERM'), 0);
  },
);

testPostgres('check accepts the URL without a warning, and shows no password', async (t) => {
  const folder = temporaryFolder(t);
  const { direct } = await postgresDatabase(t, { isEmpty: true });
  const running = await startGatekeeperProcess(t, folder, configOf(direct));
  const checked = await gatekeeper(folder, 'check', '--print');
  t.is(checked.code, 0, checked.stderr);
  t.notRegex(checked.stderr, /version/);
  const doctor = await gatekeeper(folder, 'doctor');
  t.regex(doctor.stdout + doctor.stderr, /answers, PostgreSQL \d+/);
  for (const { stdout, stderr } of [checked, doctor]) {
    t.notRegex(stdout + stderr + running.output(), /pass%2Fword|pass\/word/);
  }
  t.is(await running.end('SIGTERM'), 0);
});

testPostgres(
  'a server that cannot reach the database ends with a sentence and without the password',
  async (t) => {
    const folder = temporaryFolder(t);
    const config = configOf('postgres://gatekeeper:hunter2@127.0.0.1:1/none');
    writeFileSync(`${folder}/gatekeeper.yaml`, config);
    const result = await gatekeeper(folder, 'serve');
    t.is(result.code, 2);
    t.regex(result.stderr + result.stdout, /postgres:\/\/127\.0\.0\.1:1\/none/);
    t.notRegex(result.stderr + result.stdout, /hunter2/);
  },
);
