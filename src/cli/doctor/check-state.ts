import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/config.ts';
import type { DatasetInfo } from '../../datasets/datasets.ts';
import { isOld } from '../../datasets/feed-age.ts';
import { checkSmtp } from '../../mail/open-smtp.ts';
import { nearestExisting } from '../../make-folder.ts';
import { openConfiguredDatasets } from '../../signup-file/open-offline-judge.ts';
import { readPostgresVersion } from '../../storage/engine/postgres-engine.ts';
import { doNotificationsArrive } from '../../storage/engine/postgres-notifications.ts';
import { isPostgresUrl, parsePostgresUrl } from '../../storage/engine/postgres-url.ts';
import { sqlitePathOf } from '../../storage/engine/sqlite-file.ts';
import { findRefusedRecords } from '../find-unusable.ts';
import { broken, certificateRemedy, type Finding, ok, warning } from './finding.ts';

const DAY_MS = 86_400_000;
/** The age from which built-in data is too old. It comes with releases, so older data means that the release is old. */
const MAX_DATA_AGE_DAYS = 400;
const MIN_CERTIFICATE_DAYS = 14;
const MIN_FREE_BYTES = 256 * 1_048_576;

export async function checkData(config: Config, clock: Clock): Promise<readonly Finding[]> {
  let store: Awaited<ReturnType<typeof openConfiguredDatasets>>;
  try {
    store = await openConfiguredDatasets(config);
  } catch (error) {
    return [broken('data', error instanceof Error ? error.message : String(error), 'npm run build')];
  }
  const { info } = store.current;
  store.close();
  const dates = info.filter(({ fetchedAt }) => fetchedAt === null).map(({ date }) => Date.parse(date));
  const newest = Math.max(...dates.filter(Number.isFinite));
  const days = Math.floor((clock() - newest) / DAY_MS);
  const clockFinding =
    days < -1
      ? broken(
          'clock',
          `this machine says ${new Date(clock()).toISOString()}, which is before the built-in data was made`,
          'timedatectl set-ntp true',
        )
      : ok('clock', new Date(clock()).toISOString());
  const builtIn =
    days > MAX_DATA_AGE_DAYS
      ? warning(
          'data',
          `the built-in data is ${days} days old`,
          'install a newer release of signup-gatekeeper',
        )
      : ok('data', `the date of the built-in data is ${new Date(newest).toISOString().slice(0, 10)}`);
  const feeds = config.datasets.feeds.map(({ name }) => {
    const feed = info.find((set) => set.name === name);
    return checkFeed(name, feed ?? null, { refreshMs: config.datasets.refresh, now: clock() });
  });
  return [clockFinding, builtIn, ...feeds];
}

function checkFeed(
  name: string,
  feed: DatasetInfo | null,
  { refreshMs, now }: { readonly refreshMs: number | null; readonly now: number },
): Finding {
  if (feed?.failure)
    return broken('feeds', `${name}: the last fetch failed. ${feed.failure}`, 'gatekeeper data update');
  if (!feed || feed.fetchedAt === null || feed.fetchedAt === 0)
    return broken('feeds', `${name} was never fetched`, 'gatekeeper data update');
  const hours = Math.round((now - feed.fetchedAt) / 3_600_000);
  if (!isOld(feed, now)) return ok('feeds', `${name} was fetched ${hours} hours ago`);
  if (refreshMs === null)
    return warning('feeds', `${name} is ${hours} hours old`, 'datasets: {refresh: 24h}');
  return broken(
    'feeds',
    `${name} is ${hours} hours old, although datasets.refresh is set`,
    'gatekeeper data update',
  );
}

export async function checkMail({ mail, proxy }: Config): Promise<Finding> {
  if (mail.smtp === null) {
    const mailing = proxy?.routes.find(({ mode, verify }) => mode === 'enforce' && verify.by === 'email');
    if (!mailing) return ok('mail', 'not set, and no enforced route needs it');
    return warning(
      'mail',
      `not set: route "${mailing.name}" verifies by mail, but visitors get no mails`,
      'mail: {smtp: "smtp://USER:PASSWORD@HOST:587"}',
    );
  }
  const problem = await checkSmtp(mail.smtp);
  if (problem === null) return ok('mail', 'the mail server accepts connections');
  return broken(
    'mail',
    `the mail server of mail.smtp does not accept connections (${problem})`,
    mailRemedy(problem),
  );
}

function mailRemedy(problem: string): string {
  if (/^EAUTH\b/.test(problem))
    return 'correct user and password: mail: {smtp: "smtp://USER:PASSWORD@HOST:587"}';
  return (
    certificateRemedy(problem, 'mail.smtp') ??
    'correct host and port: mail: {smtp: "smtp://USER:PASSWORD@HOST:587"}'
  );
}

export async function checkStorage(config: Config): Promise<Finding> {
  const refusal = await findRefusedRecords(config);
  if (refusal !== null) {
    const [message = '', ...remedy] = refusal.split(/(?<=\.) (?=[A-Z])|: (?=check )/);
    return broken('storage', message, remedy.join(' ') || 'gatekeeper check');
  }
  const { storage } = config;
  if (isPostgresUrl(storage.records)) return checkPostgres(storage.records);
  const file = sqlitePathOf(storage.records);
  const folder = nearestExisting(dirname(file));
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const said = `${existsSync(file) ? file : `${file} will be made`}, ${Math.floor(free / 1_048_576)} MB free`;
  return free < MIN_FREE_BYTES
    ? broken(
        'storage',
        said,
        `free space in ${folder}, or storage: {records: "sqlite:/OTHER/FOLDER/gatekeeper.db"}`,
      )
    : ok('storage', said);
}

async function checkPostgres(url: string): Promise<Finding> {
  try {
    const version = await readPostgresVersion(url);
    const notifications = (await doNotificationsArrive(url))
      ? ''
      : '; its notifications do not arrive, perhaps because of a pooler, so nodes read changes every 250 ms';
    return ok('storage', `${parsePostgresUrl(url).name} answers, PostgreSQL ${version}${notifications}`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return broken('storage', message, 'storage: {records: "postgres://USER:PASSWORD@HOST:5432/DATABASE"}');
  }
}

export function checkTls({ proxy }: Config, clock: Clock): Finding {
  if (!proxy?.tls) return ok('tls', 'not used by the gate');
  const certificate = new X509Certificate(readFileSync(proxy.tls.cert));
  const days = Math.floor((Date.parse(certificate.validTo) - clock()) / DAY_MS);
  if (days < 0)
    return broken(
      'tls',
      `${proxy.tls.cert} expired ${-days} days ago`,
      `renew it; Gatekeeper reads it on reload`,
    );
  const host = proxy.public_url === null ? null : new URL(proxy.public_url).hostname;
  if (host !== null && certificate.checkHost(host) === undefined && certificate.checkIP(host) === undefined)
    return broken(
      'tls',
      `${proxy.tls.cert} is not for ${host}`,
      `proxy: {tls: {cert: CERTIFICATE FOR ${host}}}`,
    );
  if (days < MIN_CERTIFICATE_DAYS)
    return warning(
      'tls',
      `${proxy.tls.cert} expires in ${days} days`,
      'renew it; Gatekeeper reads it on reload',
    );
  return ok('tls', `${proxy.tls.cert} is valid for ${days} days`);
}
