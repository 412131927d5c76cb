import test from 'ava';
import { createDistinctSignups, createSignups, toRequest } from '../../bench/signups.ts';
import { readSignupFields } from '../../src/api/signup-fields.ts';
import { openDatasets } from '../../src/datasets/open-datasets.ts';
import { builtDatasetsFolder, plainDatasetsConfig } from '../helpers/built-datasets.ts';

const read = (request: string) =>
  readSignupFields(Buffer.from(request.slice(request.indexOf('\r\n\r\n') + 4), 'latin1'));

test('signups are the same for the same seed, mixed, and all readable by the API', async (t) => {
  const datasets = await openDatasets({
    folder: builtDatasetsFolder,
    feedsFolder: builtDatasetsFolder,
    config: plainDatasetsConfig,
    clock: () => 0,
  });
  t.teardown(() => datasets.close());
  const make = (seed: number) => Array.from({ length: 500 }, createSignups(datasets.current, seed));
  t.deepEqual(make(1), make(1));
  t.notDeepEqual(make(1), make(2));
  const fields = make(1).map((signup) => read(toRequest(signup, 'key')));
  const families = new Set(fields.map(({ ip }) => ip.family));
  t.deepEqual([...families].sort(), [4, 6]);
  t.true(new Set(fields.map(({ mailbox }) => mailbox.domain.registrable)).size > 30);
  t.true(new Set(fields.map(({ userAgent }) => userAgent)).size > 50);
});

test('distinct signups never repeat a mailbox or an address', (t) => {
  const signups = Array.from({ length: 50_000 }, createDistinctSignups(1));
  t.is(new Set(signups.map(({ email }) => email)).size, signups.length);
  t.is(new Set(signups.map(({ ip_address }) => ip_address)).size, signups.length);
  for (const signup of signups.slice(0, 200)) t.notThrows(() => read(toRequest(signup, 'key')));
});
