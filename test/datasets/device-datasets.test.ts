import test from 'ava';
import { readBuiltInFiles } from '../../src/datasets/built-in-files.ts';
import { loadDeviceDatasets } from '../../src/datasets/device-datasets.ts';
import { builtDatasetsFolder } from '../helpers/built-datasets.ts';

const device = loadDeviceDatasets(await readBuiltInFiles(builtDatasetsFolder));

test('every browser has its releases in order, none after the date of the table', (t) => {
  t.true(device.browsers.size >= 10);
  for (const [name, { versions, releasedAt }] of device.browsers) {
    t.is(versions.length, releasedAt.length, name);
    t.deepEqual(
      versions,
      [...versions].sort((a, b) => a - b),
      name,
    );
    t.true(
      releasedAt.every((time) => time > Date.parse('1995-01-01') && time <= device.asOf),
      name,
    );
  }
});

const known: [browser: string, version: number, date: string][] = [
  ['chrome', 100, '2022-03-29'],
  ['firefox', 100, '2022-05-03'],
  ['safari', 16, '2022-09-12'],
  ['safari_ios', 15, '2021-09-20'],
  ['edge', 79, '2020-01-15'],
];

test('release dates are correct', (t) => {
  for (const [browser, version, date] of known) {
    const releases = device.browsers.get(browser);
    const at = releases?.versions.indexOf(version) ?? -1;
    t.is(releases?.releasedAt[at], Date.parse(date), `${browser} ${version}`);
  }
});
