import test from 'ava';
import type { RouteConfig } from '../../../src/config/config.ts';
import { FORM, GRAPHQL, JSON_TYPE, MULTIPART, read } from './read-hostile-body.ts';

const MEGABYTE = 1_040_000;
const fill = (unit: string, length = MEGABYTE) => unit.repeat(Math.floor(length / unit.length));
const part = (head: string, value = '') =>
  `--X\r\nContent-Disposition: form-data; name="a"${head}\r\n\r\n${value}\r\n`;
const json = (value: string) => `{"email":"a@b.co","x":${value}}`;
const numbered = (count: number, item: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i)).join(',');

const LARGE: readonly (readonly [what: string, type: string, body: string, route?: Partial<RouteConfig>])[] =
  [
    ['an object of many names', JSON_TYPE, json(`{${numbered(80_000, (i) => `"k${i}":1`)}}`)],
    [
      'an object of many names at the top',
      JSON_TYPE,
      `{${numbered(80_000, (i) => `"k${i}":1`)},"email":"a@b.co"}`,
    ],
    [
      'an object of names that fold',
      JSON_TYPE,
      `{${numbered(40_000, (i) => `"\u00e9mail${i}":1`)},"email":"a@b.co"}`,
    ],
    ['a list of objects', JSON_TYPE, json(`[${fill('{},')}1]`)],
    ['brackets', JSON_TYPE, fill('[')],
    ['backslashes', JSON_TYPE, json(`"${fill('\\\\')}"`)],
    ['the same name', JSON_TYPE, `{${fill('"a":1,')}"email":"a@b.co"}`],
    ['forms within JSON', JSON_TYPE, json(`"${fill('&xemail=')}"`)],
    ['nearly forms within JSON', JSON_TYPE, json(`"${fill('email')}="`)],
    ['far forms within JSON', JSON_TYPE, json(`"${fill(`email${'x'.repeat(195)}`)}="`)],
    ['NULs', FORM, `email=a%40b.co&x=${fill('\0')}`],
    ['NULs on a route for GraphQL', FORM, `email=a%40b.co&x=${fill('\0')}`, GRAPHQL],
    ['semicolons', FORM, `email=a%40b.co&x=${fill(';')}`],
    ['ampersands', FORM, fill('&')],
    ['a name of dots', FORM, `x${fill('.a')}=1&email=a%40b.co`],
    ['a name of full-width letters', FORM, `${fill('%EF%BD%81')}=1&email=a%40b.co`],
    [
      'many names of brackets',
      FORM,
      `${Array.from({ length: 999 }, (_, i) => `a${'[a]'.repeat(300)}${i}=`).join('&')}&email=a%40b.co`,
    ],
    [
      'part heads of white space',
      MULTIPART,
      `${fill(part(`\r\nContent-Type: a/b${' '.repeat(7_000)}c`))}--X--`,
    ],
    ['dispositions of white space', MULTIPART, `${fill(part(`;${' '.repeat(7_000)}filename="x"`))}--X--`],
    ['dispositions of backslashes', MULTIPART, `${fill(part(`; filename="${'\\a'.repeat(3_500)}"`))}--X--`],
    ['many small parts', MULTIPART, `${fill(part(''))}--X--`],
    ['nearly boundaries', MULTIPART, `${part('', fill('\r\n-'))}--X--`],
    ['a long document', JSON_TYPE, JSON.stringify({ query: `signUp ${fill('email:$b ', 49_000)}` }), GRAPHQL],
    ['a longer document', JSON_TYPE, JSON.stringify({ query: fill('signUp ') }), GRAPHQL],
    ['a document of quotes', JSON_TYPE, JSON.stringify({ query: `signUp ${fill('"""', 49_000)}` }), GRAPHQL],
    [
      'many variables',
      JSON_TYPE,
      `{"query":"signUp","variables":{${numbered(40_000, (i) => `"v${i}":{"a":1}`)}}}`,
      GRAPHQL,
    ],
    ['many members', JSON_TYPE, `{"query":"{a}",${numbered(60_000, (i) => `"m${i}":"{x"`)}}`, GRAPHQL],
    [
      'many names of stored documents',
      JSON_TYPE,
      `{"variables":{"input":{"email":"a@b.co"}},"extensions":{${numbered(60_000, (i) => `"m${i}":"x"`)}}}`,
      GRAPHQL,
    ],
    [
      'nearly mailboxes',
      JSON_TYPE,
      JSON.stringify({
        query: '{signUp(input:$input,x:$x)}',
        variables: { input: { email: 'a@b.co' }, x: fill('<a<@ "@ ') },
      }),
      GRAPHQL,
    ],
    [
      'a document of marks',
      JSON_TYPE,
      JSON.stringify({ query: `{signUp}${fill('\u0301\u0316', 900_000)}` }),
      GRAPHQL,
    ],
    [
      'a batch of long documents',
      JSON_TYPE,
      `[${numbered(100, () => JSON.stringify({ query: `signUp ${fill('x ', 9_000)}` }))}]`,
      GRAPHQL,
    ],
  ];

for (const [what, type, body, changed] of LARGE) {
  test.serial(`a megabyte of ${what} is read or refused within a moment`, async (t) => {
    const started = process.cpuUsage();
    const result = await read({ type, body: Buffer.from(body), ...(changed && { route: changed }) });
    const { user, system } = process.cpuUsage(started);
    t.true(result === null || typeof result === 'string' || [400, 413].includes(result));
    // Measured: at most 75 ms, nearly all of it JSON.parse. Quadratic work would take minutes.
    t.true(user + system < 2_000_000, `${user + system} µs`);
  });
}
