import test from 'ava';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import { jsonFields } from '../../../src/gate/signup-body/body-fields.ts';
import { fulfils, readQuery } from '../../../src/gate/signup-body/conditions.ts';
import { route } from '../../helpers/routes.ts';

const budget = createWorkBudget(20_000_000);
const request = {
  budget,
  fields: jsonFields({ kind: 'signup', step: '01', terms: 'on' }, budget),
  query: readQuery('/rpc?call=join&empty=&step=dro%FFpped'),
  rawHeaders: ['Host', 'app.example', 'Next_Action', '7f3a', 'X.Action', 'signup'],
};

const CASES: readonly [what: string, when: Parameters<typeof route>[1], expected: boolean][] = [
  ['a field of the body', { when: { kind: 'signup' } }, true],
  ['a field with another value', { when: { kind: 'login' } }, false],
  ['a field in the query', { when: { call: 'join' } }, true],
  ['a number in another spelling', { when: { step: 1 } }, true],
  ['a box that is ticked', { when: { terms: true } }, true],
  ['a field that is there', { when: { kind: { exists: true } } }, true],
  ['a field that is not there', { when: { other: { exists: true } } }, false],
  ['a header with an underscore', { when: { 'header:next-action': '7f3a' } }, true],
  ['a header with a dot, which PHP reads as an underscore', { when: { 'header:x-action': 'signup' } }, true],
  ['a header that is there', { when: { 'header:Next-Action': { exists: true } } }, true],
  ['a header that is not there', { when: { 'header:x-other': { exists: true } } }, false],
  ['a query parameter', { when: { 'query:call': 'join' } }, true],
  ['an empty query parameter that is there', { when: { 'query:empty': { exists: true } } }, true],
  ['a query parameter with a byte that some apps drop', { when: { 'query:step': 'dropped' } }, true],
  ['a body field asked for in the query alone', { when: { 'query:kind': 'signup' } }, false],
  ['all of several', { when: { kind: 'signup', 'query:call': 'join' } }, true],
  ['one of several', { when: { kind: 'signup', 'query:call': 'leave' } }, false],
];

for (const [what, changed, expected] of CASES) {
  test(`a condition on ${what} ${expected ? 'holds' : 'does not hold'}`, (t) => {
    t.is(fulfils(route('/rpc', changed), request), expected);
  });
}

const SPELLINGS: readonly [wanted: boolean | number, alike: string, other: string][] = [
  [true, 'true TRUE 1 on yes t y x 2 1.0 enabled', 'false 0 off no n f null none 0.0'],
  [false, 'false FALSE 0 off no n f null none', 'true 1 on x'],
  [1, '1 01 1.0 +1 1e0 0x1 1.9 1abc 1_', '2 10 11 0 -1 one 1e3'],
  [10, '10 1_0 010', '1 100 101'],
];

for (const [wanted, alike, other] of SPELLINGS) {
  test(`a value that some language reads as ${wanted} fulfils a condition on it`, (t) => {
    const holds = (value: string) =>
      fulfils(route('/rpc', { when: { flag: wanted } }), {
        ...request,
        fields: jsonFields({ flag: value }, budget),
      });
    for (const value of alike.split(' ')) t.true(holds(value), value);
    for (const value of other.split(' ')) t.false(holds(value), value);
  });
}

test('a value with a slash behind it, or with escapes that are decoded later, fulfils a condition', (t) => {
  const holds = (query: string) =>
    fulfils(route('/rpc', { when: { 'query:_action': 'user.create' } }), {
      ...request,
      query: readQuery(`/rpc?_action=${query}`),
    });
  for (const query of [
    'user.create/',
    'user.create//',
    'user.create/%5C/',
    'user.creat%2565',
    '%2575ser.create/',
  ])
    t.true(holds(query), query);
  for (const query of ['user.create/x', '/user.create', 'user.create%2565']) t.false(holds(query), query);
});

test('a JSON value of another type fulfils a condition when PHP finds it equal', (t) => {
  const holds = (wanted: string | number | boolean, value: unknown) =>
    fulfils(route('/rpc', { when: { op: wanted } }), {
      ...request,
      fields: jsonFields({ op: value }, budget),
    });
  for (const [wanted, value] of [
    ...[['signup', true] as const, ['2fa', true] as const, [7, true] as const, [0, false] as const],
    ...[['signup', 0] as const, ['signup', -0] as const, ['2fa', 2] as const, ['1', 1] as const],
  ])
    t.true(holds(wanted, value), `${wanted} ${value}`);
  for (const [wanted, value] of [
    ...[['signup', false] as const, ['signup', 1] as const, ['2fa', 0] as const, [0, true] as const],
    ...[
      ['signup', null] as const,
      ['signup', 'true'] as const,
      ['signup', '0'] as const,
      [7, false] as const,
    ],
  ])
    t.false(holds(wanted, value), `${wanted} ${value}`);
});
