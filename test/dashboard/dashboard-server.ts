import { createHash, randomBytes } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import type { Clock } from '../../src/clock.ts';
import type { Config } from '../../src/config/config.ts';
import type { Gatekeeper } from '../../src/gatekeeper/gatekeeper.ts';
import { startGatekeeper } from '../../src/gatekeeper/start-gatekeeper.ts';
import type { Role } from '../../src/storage/accounts/account-store.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { writeEmptyDatabase } from '../helpers/empty-database.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

export interface DashboardServer {
  /** Of the dashboard. */
  readonly url: string;
  readonly gatekeeper: Gatekeeper;
  /** The same database, opened a second time. */
  readonly records: Storage;
  readonly log: readonly string[];
  /** A signed-in browser of a new account. */
  signIn(role: Role, email?: string): Promise<Visitor>;
  /** A browser without a session. */
  stranger(): Visitor;
}

/** A browser with a cookie and forms: a POST contains the token of the last page. */
export interface Visitor {
  readonly accountId: string;
  /** The `Cookie` header, for a real browser. */
  readonly cookie: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<PageAnswer>;
  post(path: string, fields?: Readonly<Record<string, string>>): Promise<PageAnswer>;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A complete Gatekeeper on free ports with its own folder; it stops at the end of the test. */
export async function startDashboard(
  t: ExecutionContext,
  options: { readonly config?: (config: Config) => Config; readonly clock?: Clock } = {},
): Promise<DashboardServer> {
  const folder = temporaryFolder(t);
  const clock = options.clock ?? Date.now;
  const base: Config = {
    ...defaultConfig,
    api: { ...defaultConfig.api, listen: '127.0.0.1:0' },
    // A busy machine must not refuse requests of a test.
    server: { ...defaultConfig.server, max_lag: 60_000 },
    scoring: { ...defaultConfig.scoring, dns: { ...defaultConfig.scoring.dns, enabled: false } },
    storage: { ...defaultConfig.storage, records: `sqlite:${folder}/gatekeeper.db` },
    dashboard: { ...defaultConfig.dashboard, listen: '127.0.0.1:0' },
  };
  const config = options.config?.(base) ?? base;
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'json', write: (line) => void lines.push(line) });
  if (config.storage.records === base.storage.records) await writeEmptyDatabase(`${folder}/gatekeeper.db`);
  const gatekeeper = await startGatekeeper({ config, log, clock, makeFirstKey: false });
  const records = await openStorage({ url: config.storage.records, clock });
  t.teardown(async () => {
    await gatekeeper.stop();
    await records.close();
  });
  const url = gatekeeper.dashboardUrl;
  return {
    ...{ url, gatekeeper, records, log: lines },
    stranger: () => visitorOf(url, '', ''),
    signIn: (role, email) => signInTo({ url, records }, role, email),
  };
}

/** A signed-in browser of a new account, without the form: the records get its session. */
export async function signInTo(
  { url, records }: Pick<DashboardServer, 'url' | 'records'>,
  role: Role,
  email = `${role}@example.com`,
): Promise<Visitor> {
  const account = await records.users.invite({ email, role, plan: 'hobby' });
  const link = randomBytes(32).toString('hex');
  const lifetimeMs = 60_000;
  await records.accountTokens.create({
    id: link,
    kind: 'set-up',
    accountId: account.id,
    email,
    lifetimeMs,
  });
  const chosen = await records.accountTokens.choosePassword({ id: link, password: 'of another way in' });
  if (!chosen.done) throw new Error('the account could not be given a password');
  const token = randomBytes(32).toString('base64url');
  const session = await records.sessions.create(
    {
      id: createHash('sha256').update(token).digest('hex'),
      accountId: account.id,
      browser: 'a test',
      network: '127.0.0.0/24',
    },
    chosen.account.passwordChangedAt,
  );
  if (!session) throw new Error('the account could not be signed in');
  return visitorOf(url, account.id, `gatekeeper_session=${token}`);
}

function visitorOf(url: string, accountId: string, cookie: string): Visitor {
  let csrf = '';
  const remember = (body: string) => {
    csrf = /name="csrf" value="([^"]*)"/.exec(body)?.[1] ?? csrf;
  };
  const ask = async (path: string, init: RequestInit): Promise<PageAnswer> => {
    const response = await fetch(url + path, { redirect: 'manual', ...init });
    const body = await response.text();
    remember(body);
    return { status: response.status, headers: response.headers, body };
  };
  return {
    ...{ accountId, cookie },
    get: (path, headers = {}) => ask(path, { headers: { cookie, accept: 'text/html', ...headers } }),
    async post(path, fields = {}) {
      if (csrf === '' && cookie !== '') await ask('/account', { headers: { cookie } });
      return await ask(path, {
        method: 'POST',
        headers: { cookie, accept: 'text/html', origin: url },
        body: new URLSearchParams({ csrf, ...fields }),
      });
    },
  };
}
