import test from 'ava';
import { MULTIPART, read, readWhole } from './read-hostile-body.ts';

const GOOD = 'a@corp.example';
const EVIL = 'bad@burner.example';
const MAP = `[["email","${EVIL}"]]`;

type Field = readonly [name: string, value: string, type?: string];

function form(fields: readonly Field[]): Buffer {
  const parts = fields.map(
    ([name, value, type]) =>
      `--X\r\nContent-Disposition: form-data; name="${name}"\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${value}\r\n`,
  );
  return Buffer.from(`${parts.join('')}--X--\r\n`);
}

const WITH_SCRIPTS = { when: { '1_email': { exists: true } }, email: ['1_email'] } as const;
const WITHOUT_SCRIPTS = { when: { email: { exists: true } }, email: ['email'] } as const;

const withScripts = (fields: readonly Field[]) =>
  read({ type: MULTIPART, body: form(fields), route: WITH_SCRIPTS });
const withoutScripts = (fields: readonly Field[]) =>
  read({ type: MULTIPART, body: form(fields), route: WITHOUT_SCRIPTS });

test('a server action is read with and without a line before its number', async (t) => {
  for (const prefix of ['1_', '_1_', '_a_', '_10_']) {
    const number = prefix.replaceAll('_', '');
    const fields: readonly Field[] = [
      [`${prefix}$ACTION_REF_2`, ''],
      [`${prefix}$ACTION_2:0`, '{"id":"60","bound":"$@1"}'],
      [`${prefix}$ACTION_2:1`, '[null]'],
      [`${prefix}$ACTION_KEY`, 'k'],
      [`${prefix}email`, GOOD],
      [`${prefix}work_email`, EVIL],
      [`${prefix}bio`, 'a "$Q and a \\u0024'],
      ['0', `[null,"$K${number}",{"text":"$$Kx"}]`],
    ];
    t.is(await withScripts(fields), GOOD, prefix);
  }
});

test('a field in an object of a numbered form is found with any number', async (t) => {
  const route = { when: { '1_user.email': { exists: true } }, email: ['1_user.email'] } as const;
  for (const name of ['1_user.email', '_3_user.email', '_3_user[email]']) {
    const body = form([
      [name, GOOD],
      ['0', '["$K3"]'],
    ]);
    t.is(await read({ type: MULTIPART, body, route }), GOOD, name);
  }
});

test('references that may lead to another form than the one with the email are refused', async (t) => {
  const own: Field = ['_1_email', GOOD];
  for (const [other, reference] of [
    [['_zz_email', EVIL], '$Kzz'],
    [['__email', EVIL], '$K'],
    [['_A_email', EVIL], '$KA'],
    [['_1_2_email', EVIL], '$K1_2'],
    [['_1_2_email', EVIL], '$K1\\u005f2'],
    [['_zz_email', EVIL], '\\u0024Kzz'],
    [['_zz_email', EVIL], '$\\u004Bzz'],
    [['1', MAP], '$Q1'],
    [['1', MAP], '\\u0024\\u0051' + '1'],
    [['10', `{"a":${MAP}}`], '$Qa:a'],
  ] as const) {
    const argument: Field = ['0', `["${reference}"]`];
    t.is(await withScripts([own, other, argument]), 400, reference);
    t.is(await withScripts([other, argument]), 400, reference);
  }
  const hidden: Field = ['0', '["$K1"]', 'text/plain; charset=utf-16le'];
  t.is(await withScripts([own, hidden]), 400);
});

test('a file or bytes in the arguments of an action are no argument', async (t) => {
  const own: Field = ['_1_email', GOOD];
  const root: Field = ['0', '[{"avatar":"$B2","bytes":"$o3"},"$K1"]'];
  const file = (name: string) =>
    `--X\r\nContent-Disposition: form-data; name="${name}"; filename="blob"\r\nContent-Type: image/png\r\n\r\n\x89"$Q1\r\n`;
  const body = Buffer.from(file('2') + file('3') + form([own, root]).toString());
  t.is(await read({ type: MULTIPART, body, route: WITH_SCRIPTS }), GOOD);
  const other = Buffer.from(file('1') + form([['0', '[{"email":"x","avatar":"$B1"}]']]).toString());
  t.is(await read({ type: MULTIPART, body: other, route: WITH_SCRIPTS }), null);
});

test('a part with an empty file name may be an argument, as Next.js reads it', async (t) => {
  const part = '--X\r\nContent-Disposition: form-data; name="0"; filename=""\r\n\r\n[null,"$Kzz"]\r\n';
  for (const fields of [
    [['_1_email', GOOD]],
    [
      ['_1_email', GOOD],
      ['_zz_email', EVIL],
    ],
  ] as const) {
    const body = Buffer.from(part + form(fields).toString());
    t.is(await read({ type: MULTIPART, body, route: WITH_SCRIPTS }), 400);
  }
});

test('an argument is found under every name that React reads as a number', async (t) => {
  const own: Field = ['_1_email', GOOD];
  for (const name of ['0x0', '-0', '+0', '0.0', '0e9', ' 0', '0b0', 'S0', 'S 0', 'S0x0', 'NaN']) {
    const map: Field = ['1', MAP];
    t.is(await withScripts([own, map, [name, '[null,"$Q1"]']]), 400, name);
    t.is(await withScripts([map, [name, '[null,"$Q1"]']]), 400, name);
    t.is(await withScripts([own, ['_zz_email', EVIL], [name, '[null,"$Kzz"]']]), 400, name);
  }
});

test('without scripts, no argument of an action may hold another form than those that are judged', async (t) => {
  const action = (reference: string, other: Field): readonly Field[] => [
    ['$ACTION_REF_1', ''],
    ['$ACTION_1:0', '{"id":"40","bound":"$@1"}'],
    ['$ACTION_1:1', `[${reference}]`],
    other,
    ['$ACTION_KEY', 'k'],
    ['email', GOOD],
  ];
  t.is(await withoutScripts(action('null', ['name', '"$Q2'])), GOOD);
  t.is(
    await withoutScripts([
      ['$ACTION_ID_40', ''],
      ['email', GOOD],
    ]),
    GOOD,
  );
  t.is(await withoutScripts(action('"$Q2"', ['$ACTION_1:2', MAP])), 400);
  t.is(await withoutScripts(action('"\\u0024Q2"', ['$ACTION_1:2', MAP])), 400);
  for (const number of ['', 'zz', 'A', '1_2'])
    t.is(await withoutScripts(action(`"$K${number}"`, [`$ACTION_1:_${number}_email`, EVIL])), 400, number);
  for (const name of ['$ACTION_1:0x2', '$ACTION_1:S2', '$ACTION_1:', '$ACTION_1', '$ACTION_REF_1:_2'])
    t.is(await withoutScripts(action('"$K2"', [name, 'x'])), 400, name);
  for (const prefix of ['1:_2_', '1:2', 'REF_1:_2_', '1:_2_:', ':', ''])
    t.is(
      await withoutScripts([
        [`$ACTION_REF_${prefix}`, ''],
        [`$ACTION_${prefix}:0`, '{"id":"40","bound":"$@1"}'],
        [`$ACTION_${prefix}:1`, '["$K3"]'],
        [`$ACTION_${prefix}:_3_email`, EVIL],
        ['email', GOOD],
      ]),
      400,
      prefix,
    );
});

test('without scripts, the forms of the state are judged with the form that was sent', async (t) => {
  const again = (fields: readonly Field[], args = '[{"error":"taken","payload":"$K2"}]') =>
    readWhole({
      type: MULTIPART,
      body: form([
        ['$ACTION_REF_3', ''],
        ['$ACTION_3:0', '{"id":"60","bound":"$@1"}'],
        ['$ACTION_3:1', args],
        ['$ACTION_KEY', 'k'],
        ...fields,
      ]),
      route: WITHOUT_SCRIPTS,
    });
  const own: Field = ['email', 'b@corp.example'];
  const before: Field = ['$ACTION_3:_2_name', 'Ann'];
  for (const name of [
    '$ACTION_3:_2_email',
    '$ACTION_3:2_email',
    '$ACTION_3:_2_Email',
    '$ACTION_3:_2_user[email]',
  ])
    t.like(await again([[name, EVIL], before, own]), { email: 'b@corp.example', otherEmails: [EVIL] }, name);
  t.like(await again([['$ACTION_3:_2_email', EVIL], own], '[null,"$K2"]'), { otherEmails: [EVIL] });
  t.like(await again([['$ACTION_3:_2_email', EVIL], ['$ACTION_3:_3_email', GOOD], own]), {
    otherEmails: [EVIL, GOOD],
  });
  t.like(await again([['$ACTION_3:_2_email', 'b@corp.example'], own]), { otherEmails: [] });
  t.like(await again([before, own]), { email: 'b@corp.example', otherEmails: [] });
  t.is(await again([['$ACTION_3:_2_email', EVIL]]), 400);
  t.is(await again([['$ACTION_3:_2_email', EVIL, 'text/plain; charset=utf-16le'], own]), 400);
  t.is(await again([before]), null);
});

test('an action that returns its form as state gets the form of the next attempt judged', async (t) => {
  const again = (args: string, second: string, more: readonly Field[] = []) =>
    readWhole({
      type: MULTIPART,
      body: form([
        ['_1_email', GOOD],
        ['_1_name', 'Ann'],
        ['_2_email', second],
        ['_2_name', 'Ann'],
        ['0', args],
        ...more,
      ]),
      route: WITH_SCRIPTS,
    });
  const ARGS = '[{"error":"taken","payload":"$K1"},"$K2"]';
  t.like(await again(ARGS, GOOD), { email: GOOD, otherEmails: [] });
  t.like(await again(ARGS, 'b@corp.example'), { email: 'b@corp.example', otherEmails: [GOOD] });
  t.like(await again(ARGS, EVIL), { email: EVIL, otherEmails: [GOOD] });
  t.like(await again('["$K1",{"payload":"$K2"}]', EVIL), { email: GOOD, otherEmails: [EVIL] });
  for (const args of ['["$K1","$K2"]', '["$1","$2"]', '[', '{"0":"$K2"}', '"$K2"'])
    t.is(await again(args, EVIL), 400, args);
  for (const name of ['0x0', '-0', '00', '$ACTION_1:0', 'S0'])
    t.is(await again(ARGS, EVIL, [[name, '["$K1"]']]), 400, name);
  t.is(await again(ARGS, EVIL, [['0', '["$K1"]']]), 400);
  t.is(await again(ARGS, GOOD, [['2_email', EVIL]]), 400);
});

test('the email in a form of the state is judged when the next step of a signup asks for none', async (t) => {
  const step = (email: string, more: readonly Field[] = []) =>
    withScripts([['_1_email', email], ...more, ['_2_name', 'Ann'], ['0', '[{"payload":"$K1"},"$K2"]']]);
  t.is(await step(GOOD), GOOD);
  t.is(await step(EVIL), EVIL);
  t.is(await step(GOOD, [['_3_email', EVIL]]), 400);
  t.is(await step(GOOD, [['_2_Email', EVIL]]), 400);
  t.is(await step(GOOD, [['_1_email', EVIL]]), 400);
});

test('forms of the state without the email are no signup', async (t) => {
  const without = form([
    ['_1_name', 'Ann'],
    ['_2_name', 'Ann'],
    ['0', '[{"payload":"$K1"},"$K2"]'],
  ]);
  t.is(await read({ type: MULTIPART, body: without, route: WITH_SCRIPTS }), null);
});
