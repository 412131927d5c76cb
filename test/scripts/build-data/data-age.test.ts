import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { agesOf, describeAge, outdated } from '../../../scripts/build-data/data-age.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const NOW = Date.UTC(2026, 10, 23);

/** A registry on loopback with one package whose versions have these dates, and npm configured for it. */
async function registryOf(t: ExecutionContext, times: Readonly<Record<string, string>>) {
  const server = createServer(({ url }, response) => {
    const versions = Object.keys(times);
    const name = decodeURIComponent(url?.slice(1) ?? '');
    const packument = {
      name,
      'dist-tags': { latest: versions.at(-1) },
      time: times,
      versions: Object.fromEntries(
        versions.map((version) => [version, { name, version, dist: { tarball: '', shasum: '' } }]),
      ),
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(packument));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.teardown(() => server.close());
  return npmFor(t, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const npmFor = (t: ExecutionContext, registry: string) => ({
  ...process.env,
  npm_config_registry: registry,
  npm_config_cache: temporaryFolder(t),
  npm_config_fetch_retry_mintimeout: '10',
});

const baseline = { 'some-list': { version: '1.0.0', date: '2026-10-01', count: 10 } };
const TIMES = { '1.0.0': '2026-10-01T08:00:00.000Z', '1.1.0': '2026-11-20T08:00:00.000Z' };

test('a package that is 30 days old and has a newer version is outdated', async (t) => {
  const env = await registryOf(t, TIMES);
  const ages = await agesOf(baseline, { now: NOW, env });
  t.deepEqual(outdated(ages), ages);
  t.is(
    describeAge(ages[0] as (typeof ages)[number]),
    'some-list 1.0.0 of 2026-10-01: 53 days old, 1.1.0 of 2026-11-20 is newer',
  );
  const soon = await agesOf(baseline, { now: Date.UTC(2026, 9, 20), env });
  t.deepEqual(outdated(soon), [], 'not within the first 30 days');
});

test('an old package without a newer version is not outdated', async (t) => {
  const env = await registryOf(t, { '1.0.0': '2026-10-01T08:00:00.000Z' });
  const ages = await agesOf(baseline, { now: NOW + 1_000 * 86_400_000, env });
  t.deepEqual(outdated(ages), []);
  t.is(describeAge(ages[0] as (typeof ages)[number]), 'some-list 1.0.0 of 2026-10-01: nothing newer');
});

test('a registry that does not answer leaves the age unknown', async (t) => {
  const ages = await agesOf(baseline, { now: NOW, env: npmFor(t, 'http://127.0.0.1:1/') });
  t.deepEqual(outdated(ages), []);
  t.regex(describeAge(ages[0] as (typeof ages)[number]), /not checked/);
});
