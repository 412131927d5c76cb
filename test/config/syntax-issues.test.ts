import test from 'ava';
import { parseYaml } from '../../src/config/parse-yaml.ts';

const GATE = 'proxy:\n  upstream: http://127.0.0.1:3000\n  routes:\n';

/** Ordinary mistakes, and the line that names each of them. */
const mistakes: readonly (readonly [mistake: string, text: string, said: string])[] = [
  ['tabs', 'log:\n\tlevel: info\n', '2:1 tabs are not allowed as indentation; indent with spaces'],
  [
    'a tab before an item of a list, and nothing about the lines around it',
    `${GATE}\t- path: /signup\n`,
    '4:1 tabs are not allowed as indentation; indent with spaces',
  ],
  [
    'a key that is indented less than the keys before it',
    'log:\n  level: info\n format: json\n',
    '3:1 the line begins in another column than the keys before it; indent it exactly like the line to which it belongs',
  ],
  [
    'a key that is indented more than the key before it',
    `${GATE}    - path: /signup\n        email: email\n`,
    '4:13 the next line is indented like a part of this value; indent it like the key of this line',
  ],
  [
    'an item that is indented more than the item before it',
    `${GATE}    - path: /signup\n      - path: /join\n`,
    '5:1 this list item begins in another column than the items before it; indent all items of a list alike',
  ],
  [
    'an item on the line of its key',
    'proxy:\n  routes: - path: /signup\n',
    '2:11 the first item of a list is on the line of its key; begin the item on the next line',
  ],
  [
    'another format',
    '[proxy]\nlisten = "127.0.0.1:8000"\n',
    '2:1 this line is written like TOML or INI; write "key: value", and indent keys below the key that has them',
  ],
  [
    'no space after a colon',
    'proxy:\n  upstream:http://127.0.0.1:3000\n  watch: true\n',
    '2:3 no space follows the colon of upstream; write a space after the colon',
  ],
  [
    'no colon',
    'log\n  level: info\n',
    '1:1 this line has no key with a colon; write a colon and a space after the key',
  ],
  [
    'no colon in the last line',
    'log:\n  level: info\n  format json\n',
    '3:3 this line has no key with a colon; write a colon and a space after the key',
  ],
  [
    'a colon in a value',
    'site:\n  name: Acme: the shop\n',
    '2:9 the value has a colon and a space, like a key; put quotes around the value',
  ],
  [
    'a value that begins with @',
    'lists:\n  deny: [@bad.example]\n',
    '2:10 a value cannot begin with @; put quotes around the value',
  ],
  [
    'a value that begins with >',
    'site:\n  name: > 5\n',
    '2:11 a value cannot begin with > or |; put quotes around the value',
  ],
  [
    'a secret that begins with |',
    'privacy:\n  hash_secret: |hunter2\n',
    '2:17 a value cannot begin with > or |; put quotes around the value',
  ],
  [
    'an IPv6 address without quotes',
    'api:\n  listen: [::1]:8080\n',
    '2:16 text follows the end of the value; put quotes around the whole value',
  ],
  [
    'a quote inside quotes',
    "mail:\n  from: 'Bob's shop <shop@app.example>'\n",
    '2:14 text follows the end of the value; put quotes around the whole value',
  ],
  [
    'a quote that is open to the end of the file, at its opening',
    'mail:\n  from: "Shop\n  smtp: null\nlog: {}\n',
    '2:9 this quote is not closed; add the missing "',
  ],
  ['a backslash', 'site:\n  name: "Acme \\d"\n', '2:15 \\d has no meaning; write \\\\ for a \\'],
  [
    'an open brace',
    'scoring:\n  levels: {low: 70, medium: 40\nlog: {}\n',
    '3:1 { is not closed before this line; add the missing }',
  ],
];

for (const [mistake, text, said] of mistakes) {
  test(`the syntax is refused in plain words: ${mistake}`, (t) => {
    const { issues, value } = parseYaml(text);
    t.is(value, undefined);
    const lines = issues.map(
      ({ line, column, message, hint }) => `${line}:${column} ${message.replace(/^not YAML: /, '')}; ${hint}`,
    );
    t.deepEqual(lines, [said]);
    t.true(issues.every(({ message }) => message.startsWith('not YAML: ')));
  });
}

test('a name that begins with * names its key, and that it needs quotes', (t) => {
  t.like(parseYaml('lists:\n  deny: [*.bad.example]\n').issues, [
    { line: 2, pointer: '/lists/deny/0', hint: 'put quotes around a text that begins with *' },
  ]);
});

test('spaces from a word processor before a key are named; inside quotes they are a part of the key', (t) => {
  const said = 'the key begins with a no-break space or another special space';
  t.like(parseYaml('log:\n\u00a0\u00a0level: info\n').issues, [
    { line: 2, column: 1, message: said, hint: 'indent with ordinary spaces' },
  ]);
  t.deepEqual(parseYaml('" a": 1\n"\u00a0b": 2\n').issues, []);
});

test('thousands of open brackets are named, not the stack of the program', (t) => {
  t.like(parseYaml(`lists: ${'['.repeat(20_000)}`).issues, [
    { line: 1, message: 'not YAML: nested too deeply to be read' },
  ]);
});
