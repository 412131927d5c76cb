import test from 'ava';
import { compileRoutes, type RequestHead } from '../../../src/gate/routes/match-routes.ts';
import { route } from '../../helpers/routes.ts';
import { ALLOWED_YARDS, LEAST_YARD, MAX_YARDS, yardsOf } from '../yards.ts';
import { FORM, HOSTILE_ROUTES, hostileHeads, REPEATED } from './hostile-heads.ts';

const matcher = compileRoutes(HOSTILE_ROUTES);

/** Microseconds, on a core where the yardstick takes the least. */
const SURELY_ALLOWED = ALLOWED_YARDS * LEAST_YARD;

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

// One after the other: the time is that of the process.
test.serial('no head of 16 KB costs more than its budget, whatever it repeats', async (t) => {
  let worst = { yards: 0, what: '' };
  for (const food of REPEATED) {
    for (const [place, head] of headsOf(food, 16_000).entries()) {
      const yards = await yardsOf(() => matcher.match(head), MAX_YARDS);
      if (yards > worst.yards) worst = { yards, what: `${JSON.stringify(food)} at place ${place}` };
    }
  }
  t.log(`the worst costs ${worst.yards.toFixed(2)} yards: ${worst.what}`);
  t.true(worst.yards <= ALLOWED_YARDS, worst.what);
});

test.serial('cost grows with the size of a head and not with its square, up to a megabyte', async (t) => {
  const slow: string[] = [];
  // 64 times the size of a head: its square would cost 4,096 times as much.
  const allowed = ALLOWED_YARDS * 64;
  for (const [i, food] of REPEATED.entries()) {
    const heads = headsOf(food, 1_048_576);
    // Two places each: all of them take a minute.
    for (const place of [i % heads.length, (i * 5 + 3) % heads.length]) {
      const [head] = heads.slice(place, place + 1);
      if (head && (await yardsOf(() => matcher.match(head), allowed / 2)) > allowed)
        slow.push(`${JSON.stringify(food)} at place ${place}`);
    }
  }
  t.deepEqual(slow, []);
});

test.serial(
  '20,000 heads of hostile repetition: each is decided, twice the same, and none costs more than its budget',
  async (t) => {
    const again = compileRoutes([
      route('/signup', { methods: null }),
      route('/api/**', { methods: ['PUT'] }),
    ]);
    const first = compileRoutes([
      route('/signup', { methods: null }),
      route('/api/**', { methods: ['PUT'] }),
    ]);
    const kinds: Record<string, number> = {};
    const slow: string[] = [];
    let count = 0;
    for (const head of hostileHeads(20_000, 20_261_121)) {
      const before = process.cpuUsage();
      const { kind } = first.match(head);
      const { user, system } = process.cpuUsage(before);
      if (
        user + system > SURELY_ALLOWED &&
        (await yardsOf(() => first.match(head), ALLOWED_YARDS)) > ALLOWED_YARDS
      )
        slow.push(head.target.slice(0, 200));
      if (count++ % 10 === 0) t.is(again.match(head).kind, kind);
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
    t.log(`${count} heads: ${JSON.stringify(kinds)}`);
    t.deepEqual(slow, []);
    t.true((kinds.pass ?? 0) > 2_000 && (kinds.refuse ?? 0) > 2_000 && (kinds.gated ?? 0) > 500);
  },
);
