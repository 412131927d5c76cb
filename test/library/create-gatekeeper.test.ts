import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { createGatekeeper } from '../../src/library/create-gatekeeper.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { CHROME, nextHome, openGatekeeper } from './library-server.ts';

const userAgent = CHROME['user-agent'];
const run = promisify(execFile);

test('score gives the score, the level, four reasons and the id of a stored decision', async (t) => {
  const folder = temporaryFolder(t);
  const records = `sqlite:${folder}/gatekeeper.db`;
  const gatekeeper = await openGatekeeper(t, { storage: { records } });
  const score = await gatekeeper.score({ email: 'jane.doe@gmail.com', ipAddress: '81.2.69.142', userAgent });
  t.is(score.riskLevel, 'low');
  t.true(score.trustScore !== null && score.trustScore >= 70);
  t.deepEqual(
    score.reasons.map(({ factor }) => factor),
    ['email', 'ip_address', 'velocity', 'user_agent'],
  );
  t.like(score.reasons[0], { reasonCode: 'personal_email', riskLevel: 'low' });
  t.is(score.suggestion, null);
  t.regex(score.reference ?? '', /^[\dA-Z-]{8,9}$/i);
  // On a slow disk, a score does not wait for its record.
  await until(() => gatekeeper.feedback(score.requestId, 'fraud'));
  await gatekeeper.close();

  const storage = await openStorage({ url: records, clock: Date.now });
  t.teardown(() => storage.close());
  t.like(await storage.decisions.ofGate.find(score.requestId), {
    door: 'api',
    accountId: null,
    trustScore: score.trustScore,
    action: null,
    label: 'fraud',
  });
});

test('a throwaway email is high risk, a misspelled domain names the right one', async (t) => {
  const gatekeeper = await openGatekeeper(t);
  const ipAddress = nextHome();
  t.like(await gatekeeper.score({ email: 'jane@mailinator.com', ipAddress, userAgent }), {
    riskLevel: 'high',
  });
  const misspelled = await gatekeeper.score({ email: 'jane.doe@gmial.com', ipAddress, userAgent });
  t.is(misspelled.suggestion, 'gmail.com');
  t.regex(misspelled.reasons[0]?.description ?? '', /Did you mean gmail\.com\?/);
});

test('an email that is not valid is a finding, not an exception', async (t) => {
  const gatekeeper = await openGatekeeper(t);
  for (const email of ['', '   ', 'jane', 'a@b@c', `${'x'.repeat(5_000)}@gmail.com`, 'jane@\0gmail.com']) {
    const score = await gatekeeper.score({ email, ipAddress: nextHome(), userAgent });
    t.is(score.riskLevel, 'high', email.slice(0, 20));
    t.is(score.reasons[0]?.reasonCode, 'invalid_email', email.slice(0, 20));
  }
});

test('wrong types are named, all of them', async (t) => {
  const gatekeeper = await openGatekeeper(t);
  const score = gatekeeper.score as (signup: unknown) => Promise<unknown>;
  await t.throwsAsync(score(undefined), { instanceOf: TypeError });
  await t.throwsAsync(score({ ip: '1.2.3.4' }), {
    instanceOf: TypeError,
    message: 'score: email must be a string; ipAddress must be an IPv4 or IPv6 address',
  });
  await t.throwsAsync(score({ email: 'a@gmail.com', ipAddress: '81.2.69.142:80', userAgent: 7 }), {
    message: /ipAddress must be .*; userAgent must be/,
  });
  const feedback = gatekeeper.feedback as (id: unknown, label: unknown) => Promise<unknown>;
  await t.throwsAsync(feedback('x', 'spam'), { instanceOf: TypeError });
  t.false(await gatekeeper.feedback('not an id', 'fraud'));
  t.false(await gatekeeper.feedback('0198c0de-0000-7000-8000-000000000000', 'fraud'));
});

test('an address of many signups is counted, whichever way they come', async (t) => {
  const gatekeeper = await openGatekeeper(t, { scoring: { dns: { enabled: false } } });
  const ipAddress = nextHome();
  let last = await gatekeeper.score({ email: 'first.person@gmail.com', ipAddress, userAgent });
  for (let i = 0; i < 40; i++)
    last = await gatekeeper.score({ email: `person.number${i}@gmail.com`, ipAddress, userAgent });
  t.is(last.reasons[2]?.reasonCode, 'ip_burst');
});

test('close finishes what is running, works twice, and refuses what comes later', async (t) => {
  const records = `sqlite:${temporaryFolder(t)}/gatekeeper.db`;
  const gatekeeper = await openGatekeeper(t, { storage: { records } });
  const ipAddress = nextHome();
  const running = Array.from({ length: 50 }, (_, i) =>
    gatekeeper.score({ email: `runner${i}@gmail.com`, ipAddress, userAgent }),
  );
  await Promise.all([gatekeeper.close(), gatekeeper.close()]);
  const storage = await openStorage({ url: records, clock: Date.now });
  t.teardown(() => storage.close());
  for (const { requestId } of await Promise.all(running))
    t.truthy(await storage.decisions.ofGate.find(requestId), requestId);
  await t.throwsAsync(gatekeeper.score({ email: 'late@gmail.com', ipAddress }), { message: /is closed/ });
  await t.throwsAsync(gatekeeper.feedback('x', 'fraud'), { message: /is closed/ });
});

test('two gatekeepers of one process share a database', async (t) => {
  const records = `sqlite:${temporaryFolder(t)}/gatekeeper.db`;
  const [one, two] = await Promise.all([
    openGatekeeper(t, { storage: { records } }),
    openGatekeeper(t, { storage: { records } }),
  ]);
  const score = await one.score({ email: 'jane.doe@gmail.com', ipAddress: nextHome(), userAgent });
  await until(() => two.feedback(score.requestId, 'legitimate'));
  t.pass();
});

test('the configuration is a file, an object, or wrong with a sentence', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'gatekeeper.yaml');
  writeFileSync(
    file,
    'scoring: {dns: {enabled: false}}\nlists: {deny: [bad.example]}\nlog: {level: silent}\n',
  );
  const gatekeeper = await createGatekeeper({ config: file });
  t.teardown(() => gatekeeper.close());
  const { reasons } = await gatekeeper.score({ email: 'a@bad.example', ipAddress: nextHome() });
  t.is(reasons[0]?.reasonCode, 'denylisted_email');
  t.true(existsSync(join(folder, 'data/gatekeeper.db')), 'relative paths start at the folder of the file');

  await t.throwsAsync(createGatekeeper({ config: join(folder, 'missing.yaml') }), {
    name: 'ConfigError',
    message: /cannot read the configuration file/,
  });
  await t.throwsAsync(createGatekeeper({ config: { scorring: {} } }), {
    name: 'ConfigError',
    message: /scorring: unknown key; did you mean "scoring"\?/,
  });
  for (const config of [7, null, ['a'], true])
    await t.throwsAsync(createGatekeeper({ config: config as unknown as string }), {
      instanceOf: TypeError,
      message: /config must be the path of a YAML file, or an object/,
    });
});

test('a start that fails says why, and closes what it has opened', async (t) => {
  const folder = temporaryFolder(t);
  const records = `sqlite:${folder}/gatekeeper.db`;
  const open = (log: object) =>
    createGatekeeper({ config: { storage: { records }, log: { level: 'silent', ...log } } });
  await t.throwsAsync(open({ decisions: { to: folder } }), { message: /log\.decisions\.to: cannot write/ });
  // SQLite removes its other files with the last connection.
  t.deepEqual(readdirSync(folder).sort(), ['gatekeeper.db', 'secrets.json']);

  writeFileSync(join(folder, 'gatekeeper.db'), 'this is a text and not a database. '.repeat(99));
  await t.throwsAsync(open({}), { name: 'StorageError' });
});

test('a process ends by itself after close, also at once, and logs no error', async (t) => {
  const folder = temporaryFolder(t);
  const main = new URL('../../src/library/create-gatekeeper.ts', import.meta.url).href;
  const program = `
    const { createGatekeeper } = await import(${JSON.stringify(main.replace(/\.ts$/, import.meta.url.endsWith('.ts') ? '.ts' : '.js'))});
    const settings = { config: { log: { level: 'error' } } };
    await (await createGatekeeper(settings)).close();
    const gatekeeper = await createGatekeeper(settings);
    const { requestId } = await gatekeeper.score({ email: 'jane.doe@gmail.com', ipAddress: '81.2.69.142' });
    await gatekeeper.close();
    console.log(requestId.length);
  `;
  const loader = import.meta.url.endsWith('.ts') ? [`--import=${import.meta.resolve('tsx')}`] : [];
  const { stdout } = await run(process.execPath, [...loader, '--input-type=module', '-e', program], {
    cwd: folder,
  });
  t.is(stdout, '36\n');
});
