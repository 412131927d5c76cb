import { gzipSync } from 'node:zlib';
import anyTest, { type TestFn } from 'ava';
import type { RouteConfig } from '../../../src/config/config.ts';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import { readSignup, unitsFor } from '../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { route } from '../../helpers/routes.ts';
import { HOSTILE_RECIPES, type HostileBody, hostileBodies } from './hostile-repetition.ts';

const test = anyTest as TestFn;
const BASE_UNITS = 4_000_000;
const MAX_BODY = 2_000_000;

export const ROUTES: Readonly<Record<string, RouteConfig>> = {
  plain: route('/signup', { max_body: MAX_BODY }),
  'several places': route('/signup', {
    max_body: MAX_BODY,
    email: ['email', 'user.email', 'data.user.mail'],
  }),
  'a condition': route('/signup', { max_body: MAX_BODY, when: { action: 'register' } }),
  GraphQL: route('/signup', {
    max_body: MAX_BODY,
    email: ['variables.email'],
    when: { operationName: 'signUp' },
  }),
};

interface Cost {
  readonly units: number;
  readonly allowed: number;
  readonly outcome: 'read' | 'passed' | number;
}

/**
 * The cost of reading a body in units of work, and the number of allowed units.
 * @throws any error but a ProblemError.
 */
export async function measureWork(
  { type, bytes }: Omit<HostileBody, 'id'>,
  known: RouteConfig,
  { encoding, target = '/signup' }: { readonly encoding?: string | undefined; readonly target?: string } = {},
): Promise<Cost> {
  const candidates = [
    { route: known, pathVariant: '/signup', source: 'the target', bodyCondition: 'none' as const },
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
    target,
    rawHeaders: [],
    contentTypes: [type],
    contentEncodings: encoding === undefined ? [] : [encoding],
    budget: counted,
    bytes: sent,
  };
  const outcome = await readSignup(request, candidates).then(
    (signup) => (signup ? ('read' as const) : ('passed' as const)),
    (error: unknown) => {
      if (error instanceof ProblemError) return error.status;
      throw error;
    },
  );
  return { units, allowed, outcome };
}

const SEED = 20_261_122;

/** A linear congruential generator (Numerical Recipes): the same bodies on every machine. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The repeated text, and the text around it. */
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

export interface WorkSample {
  /** Bytes of the bodies that repeat one text. */
  readonly sizes: readonly number[];
  /** How many bodies are put together by chance. */
  readonly fuzzed: number;
}

/** The work for any repeated text is counted, and limited by the size of the body. */
export function testWorkBudget({ sizes, fuzzed }: WorkSample): void {
  for (const [name, known] of Object.entries(ROUTES)) {
    test(`for a route with ${name === 'plain' ? 'one place' : name}, the work is limited and grows only with the size`, async (t) => {
      let cases = 0;
      for (const size of sizes) {
        for (const body of hostileBodies(size)) {
          for (const encoding of [undefined, 'gzip']) {
            const { units, allowed, outcome } = await measureWork(body, known, { encoding });
            cases++;
            // The last that is spent may be refused, and then nothing is done for it.
            if (outcome === 'read' || outcome === 'passed') t.true(units <= allowed, body.id);
            if (typeof outcome === 'number')
              t.true([400, 413, 415].includes(outcome), `${body.id}: ${outcome}`);
          }
        }
      }
      t.log(`${cases} bodies of ${HOSTILE_RECIPES.length} kinds, of ${sizes.join(', ')} bytes`);
    });
  }

  test(`${fuzzed} bodies made of hostile repetition are read, refused or passed within the budget`, async (t) => {
    const random = createRandom(SEED);
    const pick = <T>(from: readonly T[]) => from[random(from.length)] as T;
    const outcomes = new Map<string | number, number>();
    const routes = Object.values(ROUTES);
    for (let i = 0; i < fuzzed; i++) {
      const [type, before, after] = pick(FRAMES);
      let middle = '';
      for (let piece = random(4); piece >= 0; piece--) {
        const unit = Array.from({ length: 1 + random(3) }, () => pick(UNITS)).join('');
        middle += unit.repeat(1 + random(10 ** random(5)));
        // Mostly small bodies: the large ones are among the bodies above.
        if (middle.length > 20_000) middle = middle.slice(0, 20_000);
      }
      const bytes = Buffer.from(before + middle + after);
      const encoding = random(8) === 0 ? 'gzip' : undefined;
      const { units, allowed, outcome } = await measureWork({ type, bytes }, pick(routes), { encoding });
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (typeof outcome === 'number') t.true([400, 413, 415].includes(outcome));
      else t.true(units <= allowed);
    }
    t.log([...outcomes].map(([outcome, count]) => `${outcome}: ${count}`).join(', '));
    t.true((outcomes.get('read') ?? 0) > fuzzed / 50);
  });
}
