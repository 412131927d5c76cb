import test from 'ava';
import { readWhole } from './read-hostile-body.ts';

const OWN = 'a@corp.example';
const OTHER = 'b@burner.example';

/** The second emails of a body, or the status of its refusal. */
async function others(body: unknown, email: readonly string[] = ['json.email', '0.json.email']) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const sent = { type: 'application/json', body: Buffer.from(text), route: { email: [...email] } };
  const signup = await readWhole({ ...sent, units: 4_000_000 });
  return typeof signup === 'number' ? signup : signup?.otherEmails;
}

const copied = (json: object, referentialEqualities: unknown) => ({ json, meta: { referentialEqualities } });
const own = { email: OWN, note: OTHER };

/** With superjson 2.2 and tRPC 11, the procedure got the other email for each of these. */
const REPLACED: readonly (readonly [what: string, body: unknown])[] = [
  ['a text', copied(own, { note: ['email'] })],
  ['a text in a chain', copied({ ...own, x: 'x' }, { note: ['x'], x: ['email'] })],
  ['a text in a list', copied({ email: OWN, a: [{ b: OTHER }] }, { 'a.0.b': ['email'] })],
  ['a text behind copies of the root', copied(own, [[], { note: ['email'] }])],
  ['a text in a batch', { 0: copied(own, { note: ['email'] }) }],
  [
    'a text, with escaped names',
    JSON.stringify(copied(own, { note: ['email'] }))
      .replace('referential', '\\u0072eferential')
      .replace('["email"]', '["\\u0065mail"]'),
  ],
];

for (const [what, body] of REPLACED) {
  test(`superjson that copies ${what} to the email is refused`, async (t) => {
    t.is(await others(body), 400);
  });
}

test('superjson of Blitz that copies a text to the email is refused', async (t) => {
  const meta = { params: { referentialEqualities: { note: ['email'] } } };
  t.is(await others({ params: own, meta }, ['params.email']), 400);
});

test('an object that superjson copies over the email is judged too', async (t) => {
  const body = copied({ user: { email: OWN }, x: { email: OTHER } }, { x: ['user'] });
  t.deepEqual(await others(body, ['json.user.email']), [OTHER]);
  const inMember = copied({ user: { email: OWN }, x: OTHER }, { x: ['user.email'] });
  t.is(await others(inMember, ['json.user.email']), 400);
});

test('objects that the client of superjson names twice are accepted', async (t) => {
  const address = { city: 'Oslo' };
  t.deepEqual(await others(copied({ email: OWN, bill: address, ship: address }, { bill: ['ship'] })), []);
  const user = { email: OWN };
  t.deepEqual(await others(copied({ user, owner: user }, { user: ['owner'] }), ['json.user.email']), []);
  t.deepEqual(await others({ json: own, meta: { values: { born: ['Date'] } } }), []);
  t.deepEqual(await others({ json: { ...own, name: '\u0000é' }, meta: {} }), []);
});
