import test from 'ava';
import fc from 'fast-check';
import { membersOf, outlineOf } from '../../../src/gate/signup-body/body-outline.ts';

const cases: readonly (readonly [
  title: string,
  body: unknown,
  fields: readonly string[],
  email: string | null,
])[] = [
  [
    'the field that holds a mailbox is proposed',
    { name: 'Ada', login: 'ada@example.com' },
    ['name', 'login'],
    'login',
  ],
  [
    'a field named like an email is proposed when none holds one',
    { user: { eMail: '' } },
    ['user.eMail'],
    'user.eMail',
  ],
  [
    'a mailbox is stronger than a name',
    { mailing: 'yes', login: 'a@b.example' },
    ['mailing', 'login'],
    'login',
  ],
  ['nothing looks like an email', { a: 1, b: { c: null } }, ['a', 'b.c'], null],
  [
    'names that no developer chooses are left out',
    { 'ada@example.com': 1, '': 2, 'a b': 3, ok: 4 },
    ['ok'],
    null,
  ],
  [
    'lists and deep objects are one field',
    { list: [{ email: 'a@b.example' }], a: { b: { c: { d: { e: 1 } } } } },
    ['list', 'a.b.c.d'],
    null,
  ],
  ['a body that is no object has no fields', ['ada@example.com'], [], null],
];
for (const [title, body, fields, emailField] of cases) {
  test(title, (t) => t.deepEqual(outlineOf(membersOf(body)), { fields, emailField }));
}

test('an outline of any body is bounded and holds no value', (t) => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 6, values: [fc.emailAddress(), fc.string()] }), (body) => {
      const { fields, emailField } = outlineOf(membersOf(body));
      return (
        fields.length <= 12 &&
        [...fields, emailField ?? ''].every((name) => name.length < 300 && !name.includes('@'))
      );
    }),
  );
  t.pass();
});
