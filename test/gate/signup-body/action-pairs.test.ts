import test from 'ava';
import type { RouteConfig } from '../../../src/config/config.ts';
import { MULTIPART, readWhole } from './read-hostile-body.ts';

const OWN = 'a@corp.example';
const OTHER = 'b@burner.example';

type Fields = Readonly<Record<string, string>>;

const WITH_SCRIPTS = { when: { '1_email': { exists: true } }, email: ['1_email'] } as const;
const WITHOUT_SCRIPTS = { when: { email: { exists: true } }, email: ['email'] } as const;

/** The second emails of a form, null when it is no signup, or the status of its refusal. */
async function others(fields: Fields, route: Partial<RouteConfig> = WITH_SCRIPTS) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const signup = await readWhole({ type: MULTIPART, body: Buffer.from(`${parts.join('')}--X--\r\n`), route });
  return typeof signup === 'number' ? signup : (signup?.otherEmails ?? null);
}

const PAIRS: readonly (readonly [what: string, fields: Fields])[] = [
  ['a list', { 0: `[null,[["name","x"],["email","${OTHER}"]]]` }],
  ['a list with escapes', { 0: `[null,[["\\u0065mail","${OTHER.replace('@', '\\u0040')}"]]]` }],
  ['a list in another field', { 2: `[["email","${OTHER}"]]`, 0: '[null,"$2"]' }],
  ['a set', { 2: `[["email","${OTHER}"]]`, 0: '[null,"$W2"]' }],
  ['a stream', { S0: `[null,[["email","${OTHER}"]]]` }],
  ['an object with numbers', { 0: `[null,[{"0":"email","1":"${OTHER}"}]]` }],
  ['a list with lists of one text', { 0: `[null,[[[["email"]],["${OTHER}"]]]]` }],
  ['a list with a reference to the name', { 0: `[{"k":"email"},[["$0:0:k","${OTHER}"]]]` }],
  ['a list with an odd reference', { 12: '"email"', 0: `[null,[["$ C","${OTHER}"]]]` }],
  ['a list with a reference to the value', { 2: `"${OTHER}"`, 0: '[null,[["email","$2"]]]' }],
  ['references alone', { 2: '"email"', 3: `"${OTHER}"`, 4: '["$2","$3"]', 0: '[null,["$4"]]' }],
];

for (const [what, fields] of PAIRS) {
  test(`an email in ${what} that becomes a form is judged too`, async (t) => {
    t.deepEqual(await others({ ...fields, _1_email: OWN }), [OTHER]);
  });

  test(`an email in ${what} without a form is refused`, async (t) => {
    t.is(await others(fields), 400);
  });
}

test('without scripts, pairs in the arguments count too', async (t) => {
  const action = {
    $ACTION_REF_1: '',
    '$ACTION_1:0': '{"id":"60","bound":"$@1"}',
    '$ACTION_1:1': `[null,[["email","${OTHER}"]]]`,
  };
  t.is(await others(action, WITHOUT_SCRIPTS), 400);
  t.deepEqual(await others({ ...action, email: OWN }, WITHOUT_SCRIPTS), [OTHER]);
});

test('a pair counts for the name of a field in an object', async (t) => {
  const route = { when: { '1_user.email': { exists: true } }, email: ['1_user.email'] } as const;
  t.is(await others({ 0: `[[["user.email","${OTHER}"]]]` }, route), 400);
});

const HARMLESS: readonly (readonly [what: string, fields: Fields])[] = [
  ['errors', { 0: '[{"errors":[["email","is not valid"],["name","is @home"]]},"$K1"]' }],
  ['an answer with the last values', { 0: `[{"values":{"email":"${OTHER}"}},"$K1"]` }],
  ['other pairs', { 0: `[{"teams":[["lead","${OTHER}"]],"sort":"email"},"$K1"]` }],
  ['a text', { 0: `["email","$K1","${OTHER}"]` }],
  ['references to objects', { 0: `[{"a":{"email":"${OTHER}"},"b":[["$0:0:a","$0:0:a"]]},"$K1"]` }],
  ['text that is no JSON', { 3: `[["email","${OTHER}"` }],
];

for (const [what, fields] of HARMLESS) {
  test(`${what} in the arguments of an action is no second email`, async (t) => {
    t.deepEqual(await others({ ...fields, _1_email: OWN }), []);
    t.is(await others(fields), null);
  });
}
