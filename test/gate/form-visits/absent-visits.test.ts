import test from 'ava';
import { compileFormPages } from '../../../src/gate/form-visits/form-pages.ts';
import { compileRoutes } from '../../../src/gate/routes/match-routes.ts';
import { route } from '../../helpers/routes.ts';
import { FORM, openSeasoned, STRANGER, signUp, visit } from './seasoned-server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('in the first hour after a start an absent visit says nothing, a visit does', async (t) => {
  const server = await openSeasoned(t, { warm: null });
  await visit(server, '/signup', STRANGER);
  t.is(await signUp(server), null);
  server.clock.now += 59 * MINUTE;
  t.is(await signUp(server), null);
  await visit(server, '/signup', { ip: '203.0.113.9' });
  t.like(await signUp(server, { ip: '203.0.113.9' }), { secondsBefore: 0 });
  server.clock.now += MINUTE;
  t.deepEqual(await signUp(server), { secondsBefore: null, knownHours: 1 });
});

test('an absent visit says nothing while no visitor at all was seen: the path may be wrong', async (t) => {
  const server = await openSeasoned(t, { warm: null });
  await signUp(server);
  server.clock.now += 30 * HOUR;
  t.is(await signUp(server), null);
});

test('visitors that were forgotten for lack of room make an absent visit say nothing', async (t) => {
  const server = await openSeasoned(t, { visits: { maxSightings: 20 } });
  await visit(server, '/signup');
  server.clock.now += 10 * MINUTE;
  for (let n = 0; n < 30; n++) await visit(server, '/signup', { userAgent: `Flood/${n}` });
  t.is(await signUp(server), null);
  server.clock.now += HOUR;
  await visit(server, '/signup', STRANGER);
  t.like(await signUp(server), { secondsBefore: null });
});

test('an absent visit says nothing when other nodes may have seen it', async (t) => {
  const server = await openSeasoned(t, { visits: { hasSilentNodes: true } });
  t.is(await signUp(server), null);
  await visit(server, '/signup');
  t.like(await signUp(server), { secondsBefore: 0 });
});

test('a reload replaces the pages: a new one is known for an hour before its absence says something', async (t) => {
  const server = await openSeasoned(t);
  const moved = [route('/signup', { form: ['/join'] })];
  server.reload({ formPages: compileFormPages(moved), matcher: compileRoutes(moved) });
  await visit(server, '/signup');
  await visit(server, '/join', STRANGER);
  t.is(await signUp(server), null);
  server.clock.now += HOUR;
  t.deepEqual(await signUp(server), { secondsBefore: null, knownHours: 1 });
  await visit(server, '/join');
  t.like(await signUp(server), { secondsBefore: 0 });
});

for (const [what, others] of [
  ['no page', [route('/signup')]],
  ['another page', [route('/signup', { form: ['/join'] })]],
] as const) {
  test(`a page is new again after a time in which the file named ${what}`, async (t) => {
    const server = await openSeasoned(t);
    server.reload({ formPages: compileFormPages(others), matcher: compileRoutes(others) });
    await visit(server, '/signup');
    server.clock.now += MINUTE;
    server.reload({ formPages: compileFormPages(FORM), matcher: compileRoutes(FORM) });
    await visit(server, '/signup', STRANGER);
    t.is(await signUp(server), null);
    server.clock.now += HOUR;
    t.deepEqual(await signUp(server), { secondsBefore: null, knownHours: 1 });
  });
}
