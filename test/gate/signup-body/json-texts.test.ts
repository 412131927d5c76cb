import test from 'ava';
import type { RouteConfig } from '../../../src/config/config.ts';
import { FORM, MULTIPART, readWhole, type Sent } from './read-hostile-body.ts';

const OWN = 'a@corp.example';
const OTHER = 'b@burner.example';

type Fields = readonly (readonly [name: string, value: string])[];

/** What the gate allows for the head and a body of a few kilobytes. */
const UNITS = 4_000_000;

/** The second emails of a form, or the status of its refusal. */
function others(fields: Fields, changed: Partial<RouteConfig> = {}) {
  const text = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();
  return othersIn({ type: FORM, body: Buffer.from(text), route: changed });
}

async function othersIn(sent: Sent) {
  const signup = await readWhole({ ...sent, units: UNITS });
  return typeof signup === 'number' ? signup : signup?.otherEmails;
}

const own = ['email', OWN] as const;
const superform = (...texts: readonly string[]): Fields => [
  own,
  ...texts.map((text) => ['__superform_json', text] as const),
];

const JUDGED: readonly (readonly [what: string, fields: Fields])[] = [
  ['the JSON of Payload', [own, ['_payload', JSON.stringify({ email: OTHER, name: 'Ann' })]]],
  ['JSON before the field', [['_payload', JSON.stringify({ email: OTHER })], own]],
  ['JSON with white space and an escaped name', [own, ['data', ` \n{"\\u0065mail":"${OTHER}"}`]]],
  ['an object inside JSON', [own, ['data', JSON.stringify({ json: { email: OTHER } })]]],
  ['the JSON of Superforms', superform(JSON.stringify([{ email: 1, name: 2 }, OTHER, 'Ann']))],
  ['the JSON of Superforms without a prototype', superform(`[["null","email",1],"${OTHER}"]`)],
  ['an object inside the JSON of Superforms', superform(`[{"user":1},{"email":2},"${OTHER}"]`)],
  ['the JSON of Superforms with a member that is no place', superform(`[{"email":1,"x":"y"},"${OTHER}"]`)],
  ['JSON in pieces', superform('[{"ema', 'il":1},"b@burner', '.example"]')],
];

for (const [what, fields] of JUDGED) {
  test(`a second email in ${what} is judged too`, async (t) => {
    t.deepEqual(await others(fields), [OTHER]);
  });
}

test('JSON with the email of a nested field is judged too', async (t) => {
  const fields = [
    ['user[email]', OWN],
    ['data', JSON.stringify({ user: { email: OTHER } })],
  ] as const;
  t.deepEqual(await others(fields, { email: ['user.email'] }), [OTHER]);
});

test('JSON with a letter that Go takes for another one is judged too', async (t) => {
  const fields = [
    ['address', OWN],
    ['data', JSON.stringify({ addreſs: OTHER })],
  ] as const;
  t.deepEqual(await others(fields, { email: ['address'] }), [OTHER]);
});

test('JSON in a form that two parsers could read differently is refused', async (t) => {
  for (const text of [
    `{"email":"${OTHER}","email":"${OWN}"}`,
    `{"email":"${OTHER}","x":"\\ud800"}`,
    `{"email":"${OTHER}","x":${'['.repeat(70)}${']'.repeat(70)}}`,
  ])
    t.is(await others([own, ['_payload', text]]), 400, text);
});

test('a value that Superforms puts in place of the email is refused', async (t) => {
  for (const name of ['__superform_file_email', '__superform_files_email'])
    t.is(await others([...superform('[{"name":1},"Ann"]'), [name, OTHER]]), 400, name);
});

test('JSON in a part that is not UTF-8, or says so, is read as lenient readers do', async (t) => {
  const part = (name: string, value: string, type = '') =>
    `--X\r\nContent-Disposition: form-data; name="${name}"\r\n${type}\r\n${value}\r\n`;
  for (const hidden of [
    part('_payload', `{"n":"\xe9","email":"${OTHER}"}`),
    part('_payload', `{"email":"${OTHER}"}`, 'Content-Type: text/plain; charset=utf-16\r\n'),
    part('__superform_json', `[{"email":1,"n":2},"${OTHER}","\xe9"]`),
  ]) {
    const body = Buffer.from(`${part('email', OWN)}${hidden}--X--\r\n`, 'latin1');
    const found = await othersIn({ type: MULTIPART, body });
    t.true(Array.isArray(found) && found.includes(OTHER), hidden);
  }
});

test('many texts that look like JSON with the email are beyond the budget', async (t) => {
  const texts = Array.from({ length: 900 }, (_, i) => [`x${i}`, '{"email":'] as const);
  t.is(await others([own, ...texts]), 400);
});

const NOT_JUDGED: readonly (readonly [what: string, fields: Fields])[] = [
  ['the same email in JSON', [own, ['data', JSON.stringify({ email: OWN.toUpperCase() })]]],
  ['a friend in a list of JSON', [own, ['friends', JSON.stringify([{ email: OTHER }])]]],
  ['another name in JSON', [own, ['data', JSON.stringify({ emails: [OTHER], work_email: OTHER })]]],
  ['another name in the JSON of Superforms', superform(`[{"friend":1},"${OTHER}"]`)],
  ['a half typed email', [own, ['draft', '{"email":"jane@cor"}']]],
  ['a rule for the field', [own, ['rules', '{"email":["required","@todo"]}']]],
  ['a remark about it, in JSON that is odd', [own, ['data', '{"a":1,"a":"email me"}']]],
  ['a cut remark about it', [own, ['data', '{"note":"email me \\ud83d","n":1}']]],
  ['a remark in brackets', [own, ['bio', `[email] "email": ${OTHER}`]]],
  ['a remark in braces', [own, ['bio', `{email: ${OTHER}}`]]],
  ['the last answer of a server action', [own, ['$ACTION_1:1', `[{"email":"${OTHER}"}]`]]],
];

for (const [what, fields] of NOT_JUDGED) {
  test(`${what} is no second email`, async (t) => {
    t.deepEqual(await others(fields), []);
  });
}

test('the last answer of a server action with scripts is no second email', async (t) => {
  const fields = [
    ['1_email', OWN],
    ['0', JSON.stringify({ email: OTHER })],
  ] as const;
  t.deepEqual(await others(fields, { email: ['1_email'] }), []);
});
