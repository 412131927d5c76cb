import test from 'ava';
import { compileRoutes, type RequestHead } from '../../../src/gate/routes/match-routes.ts';
import { route } from '../../helpers/routes.ts';
import { FORM, HOSTILE_ROUTES, hostileHeads, REPEATED } from './hostile-heads.ts';

const matcher = compileRoutes(HOSTILE_ROUTES);

/** The largest cost of one head, as a multiple of the yardstick below: 5 ms on the core where that takes 1 ms. */
const MAX_YARDS = 5;
/** A busy machine slows the yardstick and the measurement equally, but not at the same time. */
const TOLERANCE = 2;
const REPEATS = 5;

/** A million characters, read one by one. */
function yardstick(): number {
  const text = 'a/b%c.d?e;'.repeat(1_000);
  let sum = 0;
  for (let round = 0; round < 100; round++) for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i);
  return sum;
}

/** Microseconds of this process, not of the clock; the least of some runs, where the first is not low enough. */
function costOf(work: () => unknown, enough = 0): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < REPEATS && least > enough; run++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

const yard = () => Math.max(1_000, costOf(yardstick));

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
  const allowed = yard() * MAX_YARDS * TOLERANCE;
  let worst = { cost: 0, what: '' };
  for (const food of REPEATED) {
    for (const [place, head] of headsOf(food, 16_000).entries()) {
      const cost = costOf(() => matcher.match(head), allowed / 2);
      if (cost > worst.cost) worst = { cost, what: `${JSON.stringify(food)} at place ${place}` };
    }
  }
  t.log(`the worst costs ${(worst.cost / yard()).toFixed(2)} yards: ${worst.what}`);
  t.true(worst.cost <= allowed, worst.what);
});

test('cost grows with the size of a head and not with its square, up to a megabyte', (t) => {
  const slow: string[] = [];
  // 64 times the size of a head: its square would cost 4,096 times as much.
  const allowed = yard() * MAX_YARDS * TOLERANCE * 64;
  for (const [i, food] of REPEATED.entries()) {
    const heads = headsOf(food, 1_048_576);
    // Two places each: all of them take a minute.
    for (const place of [i % heads.length, (i * 5 + 3) % heads.length]) {
      const [head] = heads.slice(place, place + 1);
      if (head && costOf(() => matcher.match(head), allowed / 2) > allowed)
        slow.push(`${JSON.stringify(food)} at place ${place}`);
    }
  }
  t.deepEqual(slow, []);
});

test('20,000 heads of hostile repetition: each is decided, twice the same, and none costs more than its budget', (t) => {
  const again = compileRoutes([route('/signup', { methods: null }), route('/api/**', { methods: ['PUT'] })]);
  const first = compileRoutes([route('/signup', { methods: null }), route('/api/**', { methods: ['PUT'] })]);
  const allowed = yard() * MAX_YARDS * TOLERANCE;
  const kinds: Record<string, number> = {};
  const slow: string[] = [];
  let count = 0;
  for (const head of hostileHeads(20_000, 20_261_121)) {
    const before = process.cpuUsage();
    const { kind } = first.match(head);
    const { user, system } = process.cpuUsage(before);
    if (user + system > allowed && costOf(() => first.match(head), allowed) > allowed)
      slow.push(head.target.slice(0, 200));
    if (count++ % 10 === 0) t.is(again.match(head).kind, kind);
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  t.log(`${count} heads: ${JSON.stringify(kinds)}`);
  t.deepEqual(slow, []);
  t.true((kinds.pass ?? 0) > 2_000 && (kinds.refuse ?? 0) > 2_000 && (kinds.gated ?? 0) > 500);
});
