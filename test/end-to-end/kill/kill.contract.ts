import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { StorageBusyError } from '../../../src/storage/storage-error.ts';
import {
  gatekeeper,
  launchGatekeeper,
  type RunningGatekeeper,
  startGatekeeperProcess,
} from '../../helpers/gatekeeper-process.ts';
import { until } from '../../helpers/shared-counters.ts';
import { openSmtpMailbox, type SmtpMailbox } from '../../helpers/smtp-mailbox.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { ACTS, type Site, scoreOnce } from './acts.ts';
import { findUnloggedActs } from './audit-checks.ts';
import { openBrowser } from './browser.ts';
import type { KillEngine, KilledDatabase } from './engines.ts';
import { append, createJournal, sizeOf } from './journal.ts';
import { repeat } from './repeat-act.ts';
import { findReturned } from './running-checks.ts';
import { findLosses, findMiscounts } from './stored-checks.ts';

export interface KillProof {
  readonly engine: KillEngine;
  readonly rounds: number;
  /** Acknowledgements in a round before the kill, at most. */
  readonly maxAcknowledged: number;
}

/** In every so many rounds, the process is killed once more, while it starts. */
const KILLED_IN_START_EVERY = 4;
const MAX_START_MS = 1_500;
/** What is killed, in turn: the process, the server of the database, or both at once. */
const VICTIMS = ['server', 'process', 'both'] as const;
const SERVES_WITHIN_MS = 60_000;
const READ_TRIES = 20;

/**
 * Kills the program again and again while clients of all kinds act on it, and looks each time whether what they were
 * told is still so.
 */
export async function proveKills(t: ExecutionContext, proof: KillProof): Promise<void> {
  const progress = { finished: 0 };
  try {
    await killAndCheck(t, proof, progress);
  } catch (error) {
    t.log(`${progress.finished} of ${proof.rounds} rounds on ${proof.engine.name} found nothing`);
    throw error;
  }
}

async function killAndCheck(
  t: ExecutionContext,
  { engine, rounds, maxAcknowledged }: KillProof,
  progress: { finished: number },
): Promise<void> {
  const folder = temporaryFolder(t);
  const mails = await openSmtpMailbox(t);
  const app = await openApp(t);
  const database = await engine.open(t, folder);
  const { url } = database;
  const config = configFor(database, mails, app.port);
  const first = await start(t, folder, config);
  const { stdout } = await gatekeeper(folder, 'keys', 'create', '--name', 'shop', '--plan', 'unlimited');
  const apiKey = stdout.trim();
  const records = await openStorage({ url, clock: Date.now });
  const operatorCookie = await makeOperator(records);
  const accountId = (await records.accounts.findByName('shop'))?.id ?? '';
  await records.close();
  t.is(await first.end('SIGTERM'), 0);

  const whole = createJournal();
  const check = { accountId, mayBeUnderWay: 0 };
  const killed = { process: 0, server: 0, both: 0 };
  let last = createJournal();
  for (let round = 1; round <= rounds; round++) {
    if (round % KILLED_IN_START_EVERY === 0) await killInStart(t, folder);
    const running = await start(t, folder, config);
    const found = await findReturned(
      { apiUrl: running.url, ...addressesOf(running) },
      apiKey,
      last,
      app.bodies,
    );
    const beside = await openStorage({ url, clock: Date.now });
    const keysAccount = await beside.accounts.create({ name: `keys ${round}`, plan: 'unlimited' });
    const site: Site = {
      ...{ round, apiUrl: running.url, ...addressesOf(running), apiKey, mails },
      operator: openBrowser(addressesOf(running).dashboardUrl, operatorCookie),
      ...{ records: beside, keysAccountId: keysAccount.id },
    };
    const journal = createJournal();
    const victim = database.crash ? VICTIMS[(round - 1) % VICTIMS.length] : 'process';
    let isDisturbed = false;
    // An act with nothing left to do would not notice that the program is gone.
    let isKilled = false;
    const mayGoOn = () => !isKilled && sizeOf(journal) < 4 * maxAcknowledged;
    const acted = ACTS.map((act) => repeat(act, { site, journal, mayGoOn, isDisturbed: () => isDisturbed }));
    // One failed act ends the wait at once, and then the test.
    let haveEnded = false;
    const noteEnd = () => {
      haveEnded = true;
    };
    Promise.all(acted).then(noteEnd, noteEnd);
    const killAt = 1 + Math.floor(Math.random() * maxAcknowledged);
    while (sizeOf(journal) < killAt && !haveEnded) await wait(1);
    isDisturbed = victim !== 'process';
    if (victim === 'server') {
      await database.crash?.();
      t.true(
        await until(
          async () => (await scoreOnce(running.url, apiKey, null)).status === 200,
          SERVES_WITHIN_MS,
        ),
      );
      check.mayBeUnderWay += 1;
    }
    await Promise.all([running.end('SIGKILL'), victim === 'both' && database.crash?.()]);
    isKilled = true;
    const failed = await Promise.all(acted);
    await beside.close();
    check.mayBeUnderWay += ACTS.length + failed.reduce((sum, count) => sum + count);
    killed[victim ?? 'process'] += 1;

    const after = await openStorage({ url, clock: Date.now });
    found.push(...(await patiently(() => findLosses(journal, { records: after, ...check }))));
    found.push(...(await patiently(() => findUnloggedActs(after))));
    append(whole, journal);
    await after.close();
    t.deepEqual(found, [], `round ${round}`);
    last = journal;
    progress.finished = round;
  }
  const end = await openStorage({ url, clock: Date.now });
  t.deepEqual(await patiently(() => findLosses(whole, { records: end, ...check })), []);
  t.deepEqual(await patiently(() => findMiscounts(whole, { records: end, ...check })), []);
  await end.close();
  const counts = Object.entries(whole).map(([name, entries]) => `${(entries as unknown[]).length} ${name}`);
  const kills = Object.entries(killed).flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : []));
  t.log(
    `${rounds} rounds on ${engine.name} (killed: ${kills.join(', ')}): ${counts.join(', ')}; nothing lost, doubled, back or unlogged`,
  );
}

function configFor({ url, secrets }: KilledDatabase, mails: SmtpMailbox, appPort: number): string {
  const budget = { mailbox: 1_000, address: 100_000, site: 100_000 };
  const everything = { on_low: 'verify', on_medium: 'verify', on_high: 'verify', verify: { by: 'email' } };
  const config = {
    api: { listen: '127.0.0.1:0' },
    dashboard: { listen: '127.0.0.1:0' },
    server: { max_lag: '60s' },
    storage: { records: url },
    mail: { smtp: mails.url, from: 'noreply@shop.example' },
    scoring: { dns: { enabled: false } },
    verification: { mails_per_hour: budget, max_held: 100_000, ...secrets.verification },
    ...secrets.others,
    proxy: {
      listen: '127.0.0.1:0',
      upstream: `http://127.0.0.1:${appPort}`,
      trusted_proxies: ['127.0.0.1'],
      routes: [{ name: 'web', path: '/signup', ...everything }],
    },
  };
  return Object.entries(config)
    .map(([name, settings]) => `${name}: ${JSON.stringify(settings)}\n`)
    .join('');
}

async function start(t: ExecutionContext, folder: string, config: string): Promise<RunningGatekeeper> {
  const running = await startGatekeeperProcess(t, folder, config);
  await running.said('The dashboard is at ');
  return running;
}

function addressesOf(running: RunningGatekeeper) {
  const addressOf = (name: RegExp) => name.exec(running.output())?.[1] ?? '';
  return {
    gateUrl: addressOf(/The gate listens on (\S+)/),
    dashboardUrl: addressOf(/The dashboard is at (\S+)/),
  };
}

async function killInStart(t: ExecutionContext, folder: string): Promise<void> {
  const launched = launchGatekeeper(t, folder, ['serve']);
  await wait(Math.random() * MAX_START_MS);
  await launched.end('SIGKILL');
}

/** An operator with a session, as `gatekeeper serve` makes the first one. */
async function makeOperator(records: Storage): Promise<string> {
  const account = await records.users.invite({
    email: 'operator@example.com',
    role: 'operator',
    plan: 'unlimited',
  });
  const link = randomBytes(32).toString('hex');
  const token = { id: link, kind: 'set-up', accountId: account.id, email: account.email } as const;
  await records.accountTokens.create({ ...token, lifetimeMs: 60_000 });
  const chosen = await records.accountTokens.choosePassword({ id: link, password: 'of another way in' });
  if (!chosen.done) throw new Error('the operator has no password');
  const secret = randomBytes(32).toString('base64url');
  const session = {
    id: createHash('sha256').update(secret).digest('hex'),
    accountId: account.id,
    ...{ browser: 'a test', network: '127.0.0.0/24' },
  };
  if (!(await records.sessions.create(session, chosen.account.passwordChangedAt)))
    throw new Error('the operator has no session');
  return `gatekeeper_session=${secret}`;
}

/** Counts what reaches the app behind the gate. */
async function openApp(t: ExecutionContext): Promise<{ readonly port: number; readonly bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString());
    response.writeHead(201).end('made');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, bodies };
}

/** A busy machine does not read in the time that a page may take. */
async function patiently<T>(look: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof StorageBusyError) || tries === READ_TRIES) throw error;
    }
  }
}
