import test from 'ava';
import { substitute } from '../../src/config/substitute.ts';

const env = { NAME: 'value', EMPTY: '', EVIL: `\${NAME} $$ $& \${file:/x}` };

function fill(text: string) {
  const { value, issues } = substitute([text], {
    env,
    readSecret: (path) => {
      if (path === '/long') return { text: 'x'.repeat(100_000), openToOthers: false };
      if (path.startsWith('/run/')) return { text: `of ${path}\r\n`, openToOthers: false };
      throw Object.assign(new Error('EACCES: permission denied, open /secret'), { code: 'EACCES' });
    },
  });
  return { value: (value as string[])[0], messages: issues.map(({ message }) => message) };
}

test('placeholders are replaced anywhere in a value, and inserted text is not searched again', (t) => {
  const filled: Readonly<Record<string, string>> = {
    plain: 'plain',
    '${NAME}': 'value',
    'a${NAME}b${NAME}': 'avaluebvalue',
    '${EMPTY}': '',
    '$${NAME}': `\${NAME}`,
    '$$${NAME}': `$\${NAME}`,
    '${EVIL}': env.EVIL,
    '${file:/run/secrets/x}': 'of /run/secrets/x',
    '$NAME {NAME} $ $$ {': '$NAME {NAME} $ $$ {',
  };
  for (const [text, value] of Object.entries(filled)) t.deepEqual(fill(text), { value, messages: [] }, text);
});

test('an invalid placeholder, or one without a value, is an issue', (t) => {
  const messages: Readonly<Record<string, RegExp>> = {
    '${UNSET}': /^the environment variable UNSET is not set$/,
    '${toString}': /toString is not set/,
    '${NAME:-x}': /is not a placeholder/,
    '${}': /is not a placeholder/,
    '${NAME': /is not a placeholder/,
    '${file:}': /is not a placeholder/,
    '${file:/secret}': /^cannot read the file \/secret: permission denied$/,
    '${file:/long}': /larger than 64 KB/,
  };
  for (const [text, message] of Object.entries(messages)) {
    const found = fill(text).messages;
    t.is(found.length, 1, text);
    t.regex(found[0] ?? '', message, text);
  }
});

test('a variable as a shell writes it stays plain text, with a warning that does not repeat the text', (t) => {
  const warned: Readonly<Record<string, boolean>> = {
    $UNSET: true,
    'smtp://u:$NAME@mail.example': true,
    'smtp://u:$UNSET@mail.example': false,
    'smtp://u:${NAME}@mail.example': false,
    '$ACTION_ID_0 and $name': false,
    $: false,
  };
  for (const [text, isWarned] of Object.entries(warned)) {
    const { value, issues, warnings } = substitute([text], { env, readSecret: () => t.fail() as never });
    if (!text.includes('${')) t.deepEqual(value, [text]);
    t.deepEqual(issues, []);
    t.is(warnings.length, isWarned ? 1 : 0, text);
    if (isWarned) t.deepEqual(warnings[0]?.pointer, '/0');
  }
});

test('keys stay as they are', (t) => {
  const { value, changed } = substitute(
    { '${NAME}': { a: `\${NAME}` } },
    { env, readSecret: () => t.fail() as never },
  );
  t.deepEqual(value, { '${NAME}': { a: 'value' } });
  t.deepEqual([...changed], [`/\${NAME}/a`]);
});
