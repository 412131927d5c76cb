import test from 'ava';
import { GOOD, input, read, SIGN_UP } from './read-operation.ts';

test('a GET is read from its target, and so is a POST without a body', async (t) => {
  const ask = (parameters: Record<string, string>) =>
    read('', { type: null, target: `/graphql?${new URLSearchParams(parameters)}` });
  const variables = JSON.stringify({ input });
  t.is(await ask({ query: SIGN_UP, variables }), GOOD);
  t.is(await ask({ id: 'x', variables }), GOOD);
  t.is(await ask({ query: SIGN_UP, variables, 'variables[input][email]': 'c@d.co' }), 400);
  t.is(await ask({ query: '{ a }', variables }), 'unjudged');
  t.is(await read('', { type: null, target: `/graphql?x=1#&query=mutation{signUp}` }), null);
  t.is(await ask({}), 'unjudged');
  const target = `/graphql?${new URLSearchParams({ query: SIGN_UP, variables })}`;
  t.is(await read([], { target }), GOOD);
  t.is(await read({}, { target }), 400);
  t.is(await ask({ query: '{ a }', operations: '{}' }), 'unjudged');
  t.is(await ask({ query: SIGN_UP, operations: '{}' }), 400);
});

test('variables are read where they are JSON in a text, in a form too', async (t) => {
  const variables = JSON.stringify({ input });
  t.is(await read({ query: SIGN_UP, variables }), GOOD);
  t.is(await read({ query: SIGN_UP, variables: JSON.stringify(variables) }), 400);
  t.is(await read({ query: SIGN_UP, variables: '{"input":{"email":"a@b.co","email":"c@d.co"}}' }), 400);
  const form = (...pairs: string[][]) =>
    read(new URLSearchParams(pairs).toString(), { type: 'application/x-www-form-urlencoded' });
  t.is(await form(['query', SIGN_UP], ['variables', variables]), GOOD);
  t.is(await form(['query', SIGN_UP], ['variables[input][email]', GOOD]), GOOD);
  t.is(await form(['query', SIGN_UP], ['variables', variables], ['variables[input][email]', 'c@d.co']), 400);
  t.is(await form(['query', SIGN_UP], ['variables', variables], ['variables', '{}']), 400);
  t.is(await form(['query', SIGN_UP], ['Variables', variables]), 400);
  t.is(await form(['query', '{ a }'], ['variables', variables]), 'unjudged');
  t.is(await form(['id', 'x'], ['variables', variables]), GOOD);
});

test('operations come alone, and files replace nothing that matters', async (t) => {
  const part = (name: string, value: string) =>
    `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const upload = (operations: unknown, map: unknown, ...more: string[]) =>
    read(
      `${part('operations', JSON.stringify(operations))}${part('map', JSON.stringify(map))}${more.join('')}--X--`,
      {
        type: 'multipart/form-data; boundary=X',
      },
    );
  const operations = { query: SIGN_UP, variables: { input } };
  t.is(await upload(operations, { 0: ['variables.input.picture'] }), GOOD);
  t.is(await upload([operations], { 0: ['0.variables.input.picture'] }), GOOD);
  for (const place of [
    'variables.input.email',
    'variables.input',
    'variables',
    '0.variables.input.email',
    'variables.input.email.0',
  ])
    t.is(await upload(operations, { 0: [place] }), 400, place);
  for (const place of ['query', '0.query', 'operationName', '', 7]) {
    t.is(await upload({ query: '{ a }' }, { 0: [place] }, part('0', '{ a }')), 'unjudged');
    t.is(await upload({ query: '{ a }' }, { 0: [place] }, part('0', SIGN_UP)), 400);
  }
  t.is(await upload({ query: '{ a }', variables: { input } }, { 0: ['variables.input.email'] }), 'unjudged');
  for (const [name, value] of [
    ['query', '{ a }'],
    ['variables', '{}'],
    ['variables[x]', '1'],
  ] as const)
    t.is(await upload(operations, {}, part(name, value)), 400, name);
  t.is(await upload({ query: '{ a }', variables: { input } }, {}, part('id', 'x')), GOOD);
  t.is(await read({ query: '{ a }', operations: '{}' }), 'unjudged');
  t.is(await read({ query: SIGN_UP, operations: '{}' }), 400);
});

test('texts pass without a signup, and are refused by their type with one', async (t) => {
  const text = (body: string, type = 'application/graphql') => read(body, { type });
  t.is(await text('{ products }'), 'unjudged');
  t.is(await text(SIGN_UP), 415);
  t.is(await text(JSON.stringify({ query: '{ a }', variables: { input } }), 'text/plain'), 'unjudged');
  t.is(await text(JSON.stringify({ query: SIGN_UP, variables: { input } }), 'text/plain;charset=UTF-8'), 415);
  t.is(await text(JSON.stringify({ id: 'x', variables: { input } }), 'text/plain'), 415);
  t.is(await text('hello', 'text/plain'), 'unjudged');
  t.is(await text('id=x&variables[input][email]=a%40b.co', 'text/plain'), 415);
  t.is(await text('query=mutation{sign%55p}', 'text/plain'), 415);
  t.is(await text('{ products }', 'text/plain;charset=utf-16'), 'unjudged');
  t.is(await text(SIGN_UP, 'text/plain;charset=utf-16'), 415);
});

test('an operation that may sign up is refused with too many members', async (t) => {
  const members = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`m${i}`, '{x}']));
  t.is(await read({ query: '{ a }', ...members }), 'unjudged');
  t.is(await read({ query: '{ a }', ...members, email: 'x' }), 413);
});
