import type { RequestHead } from '../../../src/gate/routes/match-routes.ts';
import { createRandom } from '../../helpers/random.ts';
import { route } from '../../helpers/routes.ts';

/** One route of each kind that a head is compared with. */
export const HOSTILE_ROUTES = [
  route('/signup', { methods: null }),
  route('/caf%C3%A9/join.php', { methods: ['PUT'] }),
  route('/invite/:token/accept'),
  route('/trpc/auth.signup'),
  route('/rpc', { methods: null, when: { 'query:action': { exists: true }, 'header:x-kind': 'signup' } }),
];

/** The headers of a small form. */
export const FORM = ['Content-Type', 'application/x-www-form-urlencoded', 'Content-Length', '20'];

/** The texts that some reader of a head splits, decodes, folds or cuts: the worst input for each step. */
export const REPEATED: readonly string[] = [
  ...[
    '%2f',
    '%252f',
    '%25',
    '%EF%BC%8F',
    '/./',
    '/../',
    '//',
    '\\',
    '/a;b',
    '/x/..',
    '%zz',
    '%',
    'a%41',
    '%C3%A9',
  ],
  ...[
    '%00',
    '%u0073',
    '%c1%b3',
    '/(A(x))',
    '/(A(',
    '.a',
    '.',
    'a,b',
    '/a,b.c',
    ',',
    '#',
    '/index',
    '/index.php',
  ],
  ...[
    '/signup',
    'signup.php/',
    '%CC%81%CC%A3',
    '%CC%A3%CC%81%CE%A3',
    '%EF%BE%9E',
    '%E1%85%A0',
    '%CE%A3.',
    '/%53',
  ],
  ...[
    '%EF%BD%93',
    '%C5%BF',
    '%F0%9D%94%B8',
    '%E2%84%80',
    '%EF%B7%BA',
    '%ff',
    '%C3',
    'q=a&',
    '_method=a&',
    'a;',
    'x%3d1&',
  ],
  ...['\u00e9', '\u0301\u0323', '\ufdfa', '\u03a3', '\u00ad', '\u034f\u0301'],
];

const WORDS = [
  'signup',
  '%73ignup',
  'SIGNUP',
  'sıgnup',
  'api',
  'files',
  '.gatekeeper',
  'signup.json',
  'x',
  'index.php',
  'a,signup',
];
const METHODS = ['POST', 'POST', 'POST', 'GET', 'PUT', 'HEAD', 'DELETE', 'PROPFIND'];
const NAMES = [
  ...['X-Original-URL', 'X-Rewrite-URL', 'X_Forwarded_Uri', 'Path-Info', 'Script-Name', 'X-Script-Name'],
  ...[
    'X-HTTP-Method-Override',
    'X-Method-Override',
    'Content-Type',
    'Transfer-Encoding',
    'X-Other',
    'Accept',
  ],
];
const MAX_HEAD = 16_000;
const MAX_LINES = 190;

/**
 * Heads that repeat expensive text, in every place that is read, near routes and far from them; most of them short,
 * some as long as a head may be. The same seed gives the same heads.
 */
export function* hostileHeads(count: number, seed: number): Generator<RequestHead> {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const length = (most: number) => Math.floor(most ** random());
  const repeated = (most: number): string => {
    const unit = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(REPEATED)).join('');
    return unit.repeat(Math.ceil(length(most) / unit.length));
  };
  const path = (most: number): string =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
      random() < 0.5 ? `/${pick(WORDS)}` : repeated(most / 4),
    ).join('');
  const target = (most: number): string =>
    `${random() < 0.1 ? pick(['http://h', '//h', '']) : ''}/${path(most).slice(1)}${random() < 0.3 ? `?${pick(['', 'q=', '_method=', '/'])}${repeated(most / 2)}` : ''}`;
  for (let i = 0; i < count; i++) {
    const rawHeaders = ['Content-Length', pick(['0', '9'])];
    if (random() < 0.3) {
      const name = pick(NAMES);
      const isOne = random() < 0.5;
      const value = target(80);
      const lines = Math.min(length(MAX_LINES), MAX_LINES);
      for (let line = 0; line < lines; line++)
        rawHeaders.push(random() < 0.8 ? name : pick(NAMES), isOne ? value : target(60));
    }
    const most = MAX_HEAD - rawHeaders.join('').length;
    yield {
      method: pick(METHODS),
      target: target(Math.max(most, 100)).slice(0, Math.max(most, 100)),
      rawHeaders,
    };
  }
}
