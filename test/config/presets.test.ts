import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { loadConfig } from '../../src/config/load.ts';
import { PRESETS } from '../../src/config/presets.ts';
import { knownNames } from './known-names.ts';

const root = new URL('../../', import.meta.url);
const load = (text: string) => loadConfig({ file: null, text, env: {}, knownNames });
const GATE = 'proxy: {listen: 8000, upstream: 3000, routes: [{path: /signup}]}\n';

test('every preset has a file and a line in the documentation, and no other file is there', (t) => {
  const files = readdirSync(new URL('config/presets', root)).map((name) => name.replace('.yaml', ''));
  t.deepEqual(files.sort(), [...PRESETS].sort());
  const docs = readFileSync(new URL('docs/presets.md', root), 'utf8');
  for (const preset of PRESETS) t.true(docs.includes(`| \`${preset}\` |`), preset);
});

for (const preset of PRESETS) {
  test(`preset: ${preset} is valid, changes settings, and gives no warning of its own`, (t) => {
    const plain = load(GATE);
    const set = load(`preset: ${preset}\n${GATE}`);
    t.deepEqual(set.warnings, plain.warnings);
    t.notDeepEqual({ ...set.config, preset: null }, plain.config);
    t.is(set.config.preset, preset);
    t.is(set.config.proxy?.routes[0]?.max_body, plain.config.proxy?.routes[0]?.max_body);
  });
}

test('the file is stronger than the preset, and the preset than the defaults', (t) => {
  const { scoring, proxy, privacy } = load(
    `preset: shop\nscoring: {levels: {low: 65}}\nproxy: {listen: 8000, upstream: 3000, routes: [{path: /a, on_high: block}, {path: /b}]}\n`,
  ).config;
  t.deepEqual(scoring.levels, { low: 65, medium: 30 });
  t.is(scoring.points.subaddressed_email, 0);
  t.deepEqual(
    proxy?.routes.map(({ on_medium, on_high }) => [on_medium, on_high]),
    [
      ['forward', 'block'],
      ['forward', 'verify'],
    ],
  );
  t.is(privacy.retention, load('{}').config.privacy.retention);
});

test('an unknown preset is refused with the one that was meant', (t) => {
  t.throws(() => load('preset: shpo\n'), {
    message: /preset: expected saas, shop, forum, strict or private, not "shpo"; did you mean "shop"\?/,
  });
});
