import test from 'ava';
import { compileRoutes, type RequestHead } from '../../../src/gate/routes/match-routes.ts';
import { route } from '../../helpers/routes.ts';
import { FORM, HOSTILE_ROUTES, hostileHeads, REPEATED } from './hostile-heads.ts';

const matcher = compileRoutes(HOSTILE_ROUTES);

/** The largest cost of one head, as a multiple of the yardstick below: 5 ms on the core where that takes 1 ms. */
const MAX_YARDS = 5;
/** A busy machine slows the yardstick and the measurement equally, but not at the same time. */
const ALLOWED_YARDS = MAX_YARDS * 2;
const REPEATS = 5;
/** Microseconds. Some machines count the time of a process in steps. */
const LEAST_YARD = 1_000;
/** Microseconds, on a core where the yardstick takes the least. */
const SURELY_ALLOWED = ALLOWED_YARDS * LEAST_YARD;

/** A million characters, read one by one. */
function yardstick(): number {
  const text = 'a/b%c.d?e;'.repeat(1_000);
  let sum = 0;
  for (let round = 0; round < 100; round++) for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i);
  return sum;
}

/** Microseconds of this process, not of the clock. */
function costOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The cost in yards: the least of some runs, each beside its own yardstick, if the first is not low enough. */
function yardsOf(work: () => unknown, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < REPEATS && least > enough; run++)
    least = Math.min(least, costOf(work) / Math.max(LEAST_YARD, costOf(yardstick)));
  return least;
}

/** Every place of a head that is read, filled with repetitions up to a size. */
function headsOf(food: string, size: number): readonly RequestHead[] {
  const filling = food.repeat(Math.ceil(size / Buffer.byteLength(food)));
  const lines = (name: string, value: (i: number) => string) =>
    Array.from({ length: Math.min(190, Math.ceil(size / 84)) }, (_, i) => [
      name,
      value(i).slice(0, 80),
    ]).flat();
  const head = (target: string, rawHeaders: readonly string[] = [], method = 'POST'): RequestHead => ({
    method,
    target,
    rawHeaders: [...FORM, ...rawHeaders],
  });
  return [
    head(`/signup${filling}`),
    head(`/${filling}/signup`),
    head(`/files/${filling}`),
    head(`/%2Egatekeeper${filling}`, [], 'GET'),
    head(`/index.php?q=${filling}/signup`),
    head(`/?${filling}/signup`),
    head(`/Signup?${filling}_method=POST`, [], 'PUT'),
    head(`/rpc/?${filling}&action=1`, ['X-Kind', 'signup']),
    head(`/?${`q=${food.slice(0, 6)}&`.repeat(size / 9)}`),
    head(
      `/a${food}/signup`,
      lines('Script-Name', () => '/'),
    ),
    head(
      `/a${food}/b/signup`,
      lines('Script-Name', (i) => food.slice(i % food.length) + i),
    ),
    head(
      '/',
      lines('X-Original-URL', (i) => `/${i}${filling.slice(0, 60)}/signup`),
    ),
    head(
      '/Signup',
      lines('X-HTTP-Method-Override', (i) => `${i},`.repeat(20)),
      'GET',
    ),
  ];
}

test('no head of 16 KB costs more than its budget, whatever it repeats', (t) => {
  let worst = { yards: 0, what: '' };
  for (const food of REPEATED) {
    for (const [place, head] of headsOf(food, 16_000).entries()) {
      const yards = yardsOf(() => matcher.match(head), MAX_YARDS);
      if (yards > worst.yards) worst = { yards, what: `${JSON.stringify(food)} at place ${place}` };
    }
  }
  t.log(`the worst costs ${worst.yards.toFixed(2)} yards: ${worst.what}`);
  t.true(worst.yards <= ALLOWED_YARDS, worst.what);
});

test('cost grows with the size of a head and not with its square, up to a megabyte', (t) => {
  const slow: string[] = [];
  // 64 times the size of a head: its square would cost 4,096 times as much.
  const allowed = ALLOWED_YARDS * 64;
  for (const [i, food] of REPEATED.entries()) {
    const heads = headsOf(food, 1_048_576);
    // Two places each: all of them take a minute.
    for (const place of [i % heads.length, (i * 5 + 3) % heads.length]) {
      const [head] = heads.slice(place, place + 1);
      if (head && yardsOf(() => matcher.match(head), allowed / 2) > allowed)
        slow.push(`${JSON.stringify(food)} at place ${place}`);
    }
  }
  t.deepEqual(slow, []);
});

test('20,000 heads of hostile repetition: each is decided, twice the same, and none costs more than its budget', (t) => {
  const again = compileRoutes([route('/signup', { methods: null }), route('/api/**', { methods: ['PUT'] })]);
  const first = compileRoutes([route('/signup', { methods: null }), route('/api/**', { methods: ['PUT'] })]);
  const kinds: Record<string, number> = {};
  const slow: string[] = [];
  let count = 0;
  for (const head of hostileHeads(20_000, 20_261_121)) {
    const before = process.cpuUsage();
    const { kind } = first.match(head);
    const { user, system } = process.cpuUsage(before);
    if (user + system > SURELY_ALLOWED && yardsOf(() => first.match(head), ALLOWED_YARDS) > ALLOWED_YARDS)
      slow.push(head.target.slice(0, 200));
    if (count++ % 10 === 0) t.is(again.match(head).kind, kind);
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  t.log(`${count} heads: ${JSON.stringify(kinds)}`);
  t.deepEqual(slow, []);
  t.true((kinds.pass ?? 0) > 2_000 && (kinds.refuse ?? 0) > 2_000 && (kinds.gated ?? 0) > 500);
});
