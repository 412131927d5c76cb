import test from 'ava';
import { compileRoutes } from '../../../src/gate/routes/match-routes.ts';
import { rounds } from '../../helpers/rounds.ts';
import { route } from '../../helpers/routes.ts';
import { FORM, HOSTILE_ROUTES, hostileHeads } from './hostile-heads.ts';

const matcher = compileRoutes(HOSTILE_ROUTES);
const HEADS = rounds(2_000);

test(`${HEADS} heads of hostile repetition: each is decided, twice the same`, (t) => {
  const routes = [route('/signup', { methods: null }), route('/api/**', { methods: ['PUT'] })];
  const [first, again] = [compileRoutes(routes), compileRoutes(routes)];
  const kinds: Record<string, number> = {};
  for (const head of hostileHeads(HEADS, 20_261_121)) {
    const { kind } = first.match(head);
    t.is(again.match(head).kind, kind);
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  t.true(
    (kinds.pass ?? 0) > HEADS / 10 && (kinds.refuse ?? 0) > HEADS / 10 && (kinds.gated ?? 0) > HEADS / 40,
  );
});

test('a target far from every route passes, whatever it would cost to read', (t) => {
  for (const food of [
    '%2f',
    '%252f',
    '%25',
    '%EF%BC%8F',
    '/./',
    '/../',
    '%zz',
    '%2f%zz',
    '\\',
    ';a/',
    'a%41',
    '%E3%81%82',
    '%00',
  ]) {
    const target = `/files/${food.repeat(4_000 / food.length)}`;
    for (const method of ['GET', 'POST', 'PUT'])
      t.is(matcher.match({ method, target, rawHeaders: FORM }).kind, 'pass', `${method} ${food}`);
  }
  t.is(
    matcher.match({ method: 'GET', target: '/x', rawHeaders: Array(10).fill(['Script-Name', '/']).flat() })
      .kind,
    'pass',
  );
});

test('a target near a route that costs too much to read is refused, with the name of the route', (t) => {
  for (const food of ['%2f', '%252f', '%EF%BC%8F', '/./', '%CC%81%CC%A3', 'a;b/../']) {
    const target = `/signup/${food.repeat(16_000 / food.length)}`;
    t.like(
      matcher.match({ method: 'POST', target, rawHeaders: FORM }),
      { kind: 'refuse', candidates: [{ bodyCondition: 'none' }] },
      food,
    );
    t.is(matcher.match({ method: 'GET', target, rawHeaders: [] }).kind, 'pass', food);
  }
});
