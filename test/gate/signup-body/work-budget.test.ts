import { gzipSync } from 'node:zlib';
import test from 'ava';
import type { RouteConfig } from '../../../src/config/config.ts';
import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { unitsFor } from '../../../src/gate/signup-body/units.ts';
import { createWorkBudget } from '../../../src/gate/work-budget.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { route } from '../../helpers/routes.ts';
import { HOSTILE_RECIPES, type HostileBody, hostileBodies } from './hostile-repetition.ts';

const BASE_UNITS = 4_000_000;
const MAX_BODY = 2_000_000;

const ROUTES: Readonly<Record<string, RouteConfig>> = {
  plain: route('/signup', { max_body: MAX_BODY }),
  'several places': route('/signup', {
    max_body: MAX_BODY,
    email: ['email', 'user.email', 'data.user.mail'],
  }),
  'a condition': route('/signup', { max_body: MAX_BODY, when: { action: 'register' } }),
};

interface Cost {
  readonly units: number;
  readonly allowed: number;
  readonly ms: number;
  readonly outcome: 'read' | 'passed' | number;
}

/** @throws whatever is no ProblemError. */
async function measure({ type, bytes }: HostileBody, known: RouteConfig, encoding?: string): Promise<Cost> {
  const candidates = [
    { route: known, reading: '/signup', source: 'the target', bodyCondition: 'none' as const },
  ];
  const sent = encoding === undefined ? bytes : gzipSync(bytes);
  const allowed = BASE_UNITS + unitsFor(sent.length, candidates);
  const budget = createWorkBudget(allowed);
  let units = 0;
  const counted = {
    grow: budget.grow,
    spend(cost: number) {
      units += cost;
      budget.spend(cost);
    },
  };
  const request = {
    target: '/signup',
    rawHeaders: [],
    contentTypes: [type],
    contentEncodings: encoding === undefined ? [] : [encoding],
    budget: counted,
    bytes: sent,
  };
  const begin = performance.now();
  const outcome = await readSignup(request, candidates).then(
    (signup) => (signup ? ('read' as const) : ('passed' as const)),
    (error: unknown) => {
      if (error instanceof ProblemError) return error.status;
      throw error;
    },
  );
  return { units, allowed, ms: performance.now() - begin, outcome };
}

for (const [name, known] of Object.entries(ROUTES)) {
  test(`for a route with ${name === 'plain' ? 'one place' : name}, work is bounded and grows with the size alone`, async (t) => {
    let cases = 0;
    for (const size of [1_000, 10_000, 100_000, 1_000_000]) {
      for (const body of hostileBodies(size)) {
        for (const encoding of [undefined, 'gzip']) {
          const { units, allowed, outcome } = await measure(body, known, encoding);
          cases++;
          // The last that is spent may be refused, and then nothing is done for it.
          if (outcome === 'read' || outcome === 'passed') t.true(units <= allowed, body.id);
          if (typeof outcome === 'number')
            t.true([400, 413, 415].includes(outcome), `${body.id}: ${outcome}`);
        }
      }
    }
    t.log(`${cases} bodies of ${HOSTILE_RECIPES.length} kinds, 1 KB to 1 MB`);
  });
}

/** Milliseconds that 20 million units take here and now: as many steps of a loop over a text. */
function calibrate(): number {
  const text = 'abcdefghij'.repeat(100_000);
  const begin = performance.now();
  let sum = 0;
  for (let round = 0; round < 20; round++) {
    for (let i = 0; i < text.length; i++) sum = (sum + text.charCodeAt(i)) | 0;
  }
  return sum === 0 ? 0 : performance.now() - begin;
}

const RUNS = 8;
/** The best of several runs each, and a machine that is busy with something else. What this guards against takes seconds. */
const GENEROUS = 6;

test('reading a megabyte of anything takes about as long as its budget says', async (t) => {
  const slow: string[] = [];
  const allowedMs = Math.min(...Array.from({ length: RUNS }, calibrate)) * GENEROUS;
  for (const body of hostileBodies(1_000_000)) {
    for (const [name, known] of Object.entries(ROUTES)) {
      let best = Number.POSITIVE_INFINITY;
      for (let run = 0; run < RUNS && best > allowedMs; run++)
        best = Math.min(best, (await measure(body, known)).ms);
      if (best > allowedMs)
        slow.push(`${body.id}, ${name}: ${best.toFixed(1)} ms of ${allowedMs.toFixed(1)}`);
    }
  }
  t.deepEqual(slow, []);
});

const SEED = 20_261_122;
const FUZZED = 5_000;

/** A linear congruential generator (Numerical Recipes): the same bodies on every machine. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What is repeated, and what it is put together with. */
const UNITS = [
  ...[
    '.',
    '[',
    ']',
    '[]',
    '[a]',
    '.a',
    'email',
    'email.',
    'Email',
    '%65mail',
    '\\u0065mail',
    '_method',
    'action',
  ],
  ...[
    '\u0301\u0316',
    '\ufdfa',
    '\u200b',
    '\uff45',
    '\u017f',
    '\0',
    '%00',
    '+',
    '%20',
    '%25',
    '%',
    '%zz',
    '\\',
    '"',
  ],
  ...[
    '{',
    '}',
    '{"a":',
    '[1,',
    ':',
    ',',
    '1e9',
    'null',
    '=',
    '&',
    ';',
    '&email=',
    ';action=register',
    '@',
    'a@b.co',
  ],
  ...[
    '\r\n',
    '\n',
    '--X',
    '--X--',
    '\r\n--X\r\n',
    'Content-Disposition: form-data; name="email"',
    '\r\n\r\n',
  ],
  ...[
    '; filename="',
    'name=',
    'charset=',
    '__proto__',
    'constructor',
    'register',
    '\ud83d\ude00',
    '\ufeff',
    ' ',
  ],
];
const FRAMES: readonly (readonly [type: string, before: string, after: string])[] = [
  ['application/x-www-form-urlencoded', 'email=a%40b.co&', '=1'],
  ['application/x-www-form-urlencoded', '', '=1&email=a%40b.co'],
  ['application/x-www-form-urlencoded; charset=windows-1252', 'action=register&email=a%40b.co&x=', ''],
  ['application/json', '{"email":"a@b.co","', '":1}'],
  ['application/json', '{"email":"a@b.co","action":"', '"}'],
  ['application/json', '{"email":"a@b.co","x":', '}'],
  ['application/json', '[', ']'],
  [
    'multipart/form-data; boundary=X',
    '--X\r\nContent-Disposition: form-data; name="email"\r\n\r\na@b.co\r\n--X\r\nContent-Disposition: form-data; name="',
    '"\r\n\r\nx\r\n--X--\r\n',
  ],
  [
    'multipart/form-data; boundary=X',
    '--X\r\nContent-Disposition: form-data; name="x"\r\n\r\n',
    '\r\n--X\r\nContent-Disposition: form-data; name="email"\r\n\r\na@b.co\r\n--X--\r\n',
  ],
  ['text/plain', '', ''],
  ['image/png', '', ''],
];

test(`${FUZZED} bodies made of hostile repetition are read, refused or passed within the budget`, async (t) => {
  const random = createRandom(SEED);
  const pick = <T>(from: readonly T[]) => from[random(from.length)] as T;
  const outcomes = new Map<string | number, number>();
  const routes = Object.values(ROUTES);
  for (let i = 0; i < FUZZED; i++) {
    const [type, before, after] = pick(FRAMES);
    let middle = '';
    for (let piece = random(4); piece >= 0; piece--) {
      const unit = Array.from({ length: 1 + random(3) }, () => pick(UNITS)).join('');
      middle += unit.repeat(1 + random(10 ** random(5)));
      // Mostly small ones: the large are among the bodies above.
      if (middle.length > 20_000) middle = middle.slice(0, 20_000);
    }
    const bytes = Buffer.from(before + middle + after);
    const encoding = random(8) === 0 ? 'gzip' : undefined;
    const { units, allowed, outcome } = await measure({ id: '', type, bytes }, pick(routes), encoding);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (typeof outcome === 'number') t.true([400, 413, 415].includes(outcome));
    else t.true(units <= allowed);
  }
  t.log([...outcomes].map(([outcome, count]) => `${outcome}: ${count}`).join(', '));
  t.true((outcomes.get('read') ?? 0) > 100);
});
