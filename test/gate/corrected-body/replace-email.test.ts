import test from 'ava';
import fc from 'fast-check';
import { replaceInForm } from '../../../src/gate/corrected-body/replace-in-form.ts';
import { replaceInJson } from '../../../src/gate/corrected-body/replace-in-json.ts';
import { replaceInMultipart } from '../../../src/gate/corrected-body/replace-in-multipart.ts';
import { anyCharacter } from '../../helpers/any-character.ts';

const replacement = { typed: 'jane@gmial.com', corrected: 'jane@gmail.com' };
const swapped = (value: unknown) => (value === replacement.typed ? replacement.corrected : value);

test('in JSON of any shape, each value that is the email changes, and no other character', (t) => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const email = fc.constant(replacement.typed);
  const documents = fc.record({
    email,
    list: fc.array(fc.oneof(email, value)),
    deep: fc.record({ x: value, email }),
  });
  fc.assert(
    fc.property(documents, fc.constantFrom(0, 1, '\t'), (document, indent) => {
      const text = JSON.stringify(document, null, indent);
      const expected = JSON.stringify(document, (_name, one) => swapped(one), indent);
      t.is(replaceInJson(text, replacement), expected);
    }),
  );
});

test('in JSON, a value in a list has the name of the list, not of an object before it', (t) => {
  const json = (email: string) => `{"emails":[{"password":"x"},"${email}",[{"pw":1}],"${email}"]}`;
  t.is(replaceInJson(json('jane@gmial.com'), replacement), json('jane@gmail.com'));
  t.is(replaceInJson('{"password":[{"a":1},"jane@gmial.com"]}', replacement), null);
});

test('in JSON, every escape of the email is understood', (t) => {
  const escaped = [...replacement.typed]
    .map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
  t.is(replaceInJson(`{"email":"${escaped}"}`, replacement), '{"email":"jane@gmail.com"}');
  t.is(replaceInJson(`{"email":"\\t${escaped}\\n "}`, replacement), '{"email":"jane@gmail.com"}');
});

test('in a form with any other fields, the bytes of the others stay', (t) => {
  const pair = fc
    .tuple(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }))
    .map(([name, value]) => new URLSearchParams([[name, value]]).toString());
  fc.assert(
    fc.property(fc.array(pair), fc.array(pair), (before, after) => {
      const form = (email: string) => [...before, `email=${email}`, ...after].join('&');
      t.is(replaceInForm(form('jane%40gmial.com'), replacement), form('jane%40gmail.com'));
    }),
  );
});

test('any local part survives the encodings of forms and of JSON', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (localPart) => {
      const typed = `${localPart}@gmial.com`.trim();
      const corrected = `${localPart}@gmail.com`.trim();
      const form = replaceInForm(new URLSearchParams({ email: typed }).toString(), { typed, corrected });
      t.is(new URLSearchParams(form ?? '').get('email'), corrected);
      const json = replaceInJson(JSON.stringify({ email: typed }), { typed, corrected });
      t.deepEqual(JSON.parse(json ?? ''), { email: corrected });
    }),
  );
});

test('in a multipart form with any files, the bytes of the files stay', (t) => {
  const boundary = 'limit';
  const file = fc.uint8Array({ maxLength: 2_000 }).filter((bytes) => !Buffer.from(bytes).includes(boundary));
  const partOf = (head: string, content: Uint8Array | string) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(content as string),
      Buffer.from('\r\n'),
    ]);
  fc.assert(
    fc.property(fc.array(file, { maxLength: 4 }), (files) => {
      const form = (email: string) =>
        Buffer.concat([
          ...files.map((bytes, i) => partOf(`name="f${i}"; filename="${replacement.typed}"`, bytes)),
          partOf('name="email"', email),
          partOf('name="file"; filename=""', replacement.typed),
          Buffer.from(`--${boundary}--\r\n`),
        ]);
      const replaced = replaceInMultipart(form(replacement.typed), boundary, replacement);
      t.true(replaced?.equals(form(replacement.corrected)));
    }),
  );
});

test('the length that a part announces is the new one', (t) => {
  const form = (email: string) =>
    Buffer.from(
      `--x\r\nContent-Disposition: form-data; name="email"\r\nCONTENT-LENGTH:  ${email.length}\r\n\r\n${email}\r\n--x--\r\n`,
    );
  const shorter = { typed: 'jane@gmai.com', corrected: 'jane@gmail.com' };
  t.deepEqual(replaceInMultipart(form(shorter.typed), 'x', shorter), form(shorter.corrected));
});

test('without the email nothing is replaced', (t) => {
  t.is(replaceInForm('email=john%40gmial.com&q=at+jane%40gmial.com&x=%ff', replacement), null);
  t.is(replaceInJson('{"jane@gmial.com":1,"a":"jane@gmial.com.example"}', replacement), null);
  t.is(replaceInMultipart(Buffer.from('--x--\r\n'), 'x', replacement), null);
});

test('a megabyte takes time that grows with its size', (t) => {
  for (const [name, text] of [
    ['short texts', `[${'"a",'.repeat(250_000)}"${replacement.typed}"]`],
    ['one long text', `["${'a'.repeat(1_000_000)}","${replacement.typed}"]`],
    ['escapes', `["${'\\\\'.repeat(500_000)}","${replacement.typed}"]`],
  ] as const) {
    const startedAt = performance.now();
    t.true(replaceInJson(text, replacement)?.endsWith('"jane@gmail.com"]'));
    // Measured 5 to 60 ms; with work that grows with the square it would take minutes.
    t.true(performance.now() - startedAt < 30_000, name);
  }
});
