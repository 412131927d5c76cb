import test from 'ava';
import { MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';
import { startBusyDashboard } from './busy-dashboard.ts';

const testPostgres = MISSING_POSTGRES === null ? test.serial : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`pages on PostgreSQL: ${MISSING_POSTGRES}`, () => {});

const SECRET = 'a secret that all nodes of the tests have';

const HOSTILE = ['%00', 'a%00b', '%ED%A0%80', '%EF%BF%BD', '%27%3B--', '%25_%5C'];
const PAGES = [
  ...['/overview', '/decisions', '/decisions/rows', '/campaigns', '/lists', '/audit', '/accounts', '/keys'],
  ...['/usage', '/simulator', '/account', '/search', '/lists/export.csv', '/audit/export.csv'],
];
const PARAMETERS = [
  ...['q', 'text', 'name', 'email', 'domain', 'network', 'mailbox', 'template', 'user_agent', 'route', 'key'],
  ...[
    'code',
    'request_id',
    'account',
    'actor',
    'act',
    'after',
    'before',
    'cursor',
    'kind',
    'from',
    'to',
    'list',
  ],
];

for (const address of ['direct', 'pooled'] as const) {
  testPostgres(`every page and act works, whatever is searched for: ${address}`, async (t) => {
    t.timeout(1_800_000);
    const { [address]: records } = await postgresDatabase(t);
    const {
      operator,
      member,
      score,
      records: storage,
      log,
    } = await startBusyDashboard(t, {
      config: (config) => ({
        ...config,
        storage: { ...config.storage, records },
        privacy: { ...config.privacy, hash_secret: SECRET },
      }),
    });
    const requestId = await score({ email: 'new@example.com', ip_address: '2.125.160.218' });
    await storage.rollups.aggregate();
    for (const path of [...PAGES, `/decisions/${requestId}`, `/accounts/${member.accountId}`]) {
      t.is((await operator.get(path)).status, 200, path);
    }
    t.true((await operator.get('/overview')).body.includes('29'), 'decisions are counted');
    const acts: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      [`/decisions/${requestId}/label`, { label: 'fraud' }],
      [`/accounts/${member.accountId}/plan`, { plan: 'pro' }],
      [`/accounts/${member.accountId}/role`, { role: 'operator' }],
      [`/accounts/${member.accountId}/role`, { role: 'member' }],
      ['/keys', { name: 'another', kind: 'live' }],
      ['/lists', { entries: 'bad.example', note: 'x', list: 'deny' }],
      [`/accounts/${member.accountId}/sign-out`, {}],
    ];
    for (const [path, fields] of acts) {
      const { status, body } = await operator.post(path, fields);
      t.true(status < 400, `${status} for ${path}: ${body.slice(0, 2_000)}`);
    }
    const logged = await storage.audit.page({ before: null, limit: 50 });
    t.true(logged.length >= acts.length, `${logged.length} entries of the audit log`);
    for (const text of HOSTILE) {
      for (const path of PAGES) {
        const query = PARAMETERS.map((name) => `${name}=${text}`).join('&');
        t.true((await operator.get(`${path}?${query}`)).status < 500, `${path}?${query}`);
      }
    }
    for (const name of PARAMETERS) {
      for (const path of PAGES) {
        t.true((await operator.get(`${path}?${name}=a%00b`)).status < 500, `${path}?${name}=a%00b`);
      }
    }
    for (const text of ['a\0b', '\ud800', '\0']) {
      const fields = {
        q: text,
        name: text,
        entries: text,
        note: text,
        email: text,
        password: text,
        list: 'deny',
        label: text,
      };
      for (const path of ['/keys', '/lists', '/accounts', '/search', '/sign-in']) {
        const { status, body } = await operator.post(path, fields);
        t.true(status < 500, `${status} for ${path}: ${body.slice(0, 2_000)}`);
      }
    }
    t.deepEqual(
      log.filter((line) => /"level":("error"|50)/.test(line)),
      [],
    );
  });
}
