import test from 'ava';
import { parseUserAgent } from '../../../src/processors/device/parse-user-agent.ts';
import { CURRENT_BROWSERS } from '../../helpers/user-agents.ts';

test('a browser is named with version and system, and gives no bot away', (t) => {
  t.deepEqual(parseUserAgent(CURRENT_BROWSERS['Edge on Windows']), {
    browser: 'Edge',
    version: '157.0.0.0',
    system: 'Windows',
    botMatch: null,
  });
});

test('an unrecognised part is null', (t) => {
  t.deepEqual(parseUserAgent('Lorem/1 (ipsum; dolor) Amet/2'), {
    browser: null,
    version: null,
    system: null,
    botMatch: null,
  });
});

test('a crawler is identified by a part of its text', (t) => {
  t.truthy(parseUserAgent('Mozilla/5.0 (compatible; Googlebot/2.1)').botMatch);
});

/** Repetitions that drive careless expressions into backtracking. The test's time-out is the judge. */
const PROBES = [
  '(',
  'a(',
  '; ',
  'x/1.0;',
  '@a',
  'naver(1.',
  'opera ',
  'trident rv',
  'musical_ly',
  'android ',
  '\u0000',
  'é',
];

test('hostile repetitions of the greatest length are read', (t) => {
  for (const probe of PROBES) {
    const text = probe.repeat(2048).slice(0, 2048);
    t.notThrows(() => parseUserAgent(text));
    t.notThrows(() => parseUserAgent(`Mozilla/5.0 (${text.slice(14)})`));
  }
});
