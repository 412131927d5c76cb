/** One kind of body that could take some reader too long. */
export interface HostileBody {
  readonly id: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const MULTIPART = 'multipart/form-data; boundary=X';

/** Each makes about this many bytes of one kind, with a signup beside it. */
type Recipe = readonly [id: string, type: string, make: (size: number) => string];

function repeat(unit: string, size: number): string {
  return unit.repeat(Math.max(1, Math.floor(size / Buffer.byteLength(unit))));
}

function list(size: number, unit: (i: number) => string): string {
  const count = Math.max(1, Math.floor(size / (unit(5_000).length + 1)));
  return Array.from({ length: count }, (_, i) => unit(i)).join(',');
}

const FIELDS = 950;

/** Names as long as they may be, as many fields as there may be. */
function fields(size: number, unit: string): string {
  const each = Math.min(900 - (900 % unit.length), Math.ceil(size / FIELDS));
  const count = Math.max(1, Math.min(FIELDS, Math.floor(size / each)));
  const name = repeat(unit, each);
  return `${`${name}=1&`.repeat(count)}email=a%40b.co`;
}

const part = (name: string, value: string, more = '') =>
  `--X\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

function parts(size: number, unit: (i: number) => string): string {
  const count = Math.max(1, Math.min(FIELDS, Math.floor(size / unit(0).length)));
  return `${Array.from({ length: count }, (_, i) => unit(i)).join('')}${part('email', 'a@b.co')}--X--\r\n`;
}

/** Longer documents are refused before they are read. */
const MAX_DOCUMENT = 49_000;

/** A document that begins with a signup and goes on with one text again and again. */
function document(size: number, unit: string, end = ''): string {
  const query = `mutation{signUp(email:$email)}${repeat(unit, Math.min(size, MAX_DOCUMENT))}${end}`;
  return JSON.stringify({ query, variables: { email: 'a@b.co' } });
}

const text = (value: string) => `{"email":"a@b.co","action":"${value}"}`;
const marks = (size: number) => repeat('\u0301\u0316', size);

export const HOSTILE_RECIPES: readonly Recipe[] = [
  ['form: names of dots', FORM, (size) => fields(size, '.')],
  ['form: names of brackets', FORM, (size) => fields(size, '[a]')],
  ['form: the name and dots', FORM, (size) => fields(size, 'email.')],
  ['form: the name and brackets', FORM, (size) => fields(size, 'email[')],
  ['form: names of converters', FORM, (size) => fields(size, ':list')],
  ['form: names of escaped NULs', FORM, (size) => fields(size, '%2500')],
  ['form: near the name', FORM, (size) => fields(size, 'xemaill')],
  ['form: marks', FORM, (size) => fields(size, '%CC%81%CC%96')],
  ['form: ligatures', FORM, (size) => fields(size, '%EF%B7%BA')],
  ['form: names escaped twice', FORM, (size) => fields(size, '%2541')],
  ['form: backslashes', FORM, (size) => fields(size, '\\\\')],
  ['form: pluses', FORM, (size) => `email=a%40b.co&x=${repeat('+', size)}`],
  ['form: escapes', FORM, (size) => `email=a%40b.co&x=${repeat('%41', size)}`],
  ['form: a condition of marks', FORM, (size) => `email=a%40b.co&action=${marks(size)}`],
  ['form: a condition of spaces', FORM, (size) => `email=a%40b.co&action=${repeat('+', size)}register`],
  [
    'form: semicolons',
    FORM,
    (size) => `email=a%40b.co&${`${'x'.repeat(Math.ceil(size / 900))}=;`.repeat(900)}`,
  ],
  ['form: ampersands', FORM, (size) => `email=a%40b.co${repeat('&', size)}`],
  ['form: Latin-1', `${FORM}; charset=iso-8859-1`, (size) => `email=a%40b.co&x=${repeat('%E9', size)}`],
  ['JSON: names', JSON_TYPE, (size) => `{"email":"a@b.co",${list(size, (i) => `"a${i}":1`)}}`],
  [
    'JSON: names of digits',
    JSON_TYPE,
    (size) => `{"email":"a@b.co",${list(size, (i) => `"${(i * 131_072) % 16_777_213}":1`)}}`,
  ],
  ['JSON: names in Greek', JSON_TYPE, (size) => `{"email":"a@b.co",${list(size, (i) => `"\u03b1${i}":1`)}}`],
  ['JSON: one name of dots', JSON_TYPE, (size) => `{"email":"a@b.co","email${repeat('.', size)}":1}`],
  ['JSON: one name of marks', JSON_TYPE, (size) => `{"email":"a@b.co","${marks(size)}":1}`],
  ['JSON: a name twice', JSON_TYPE, (size) => `{"email":"a@b.co",${list(size, () => '"a":1')}}`],
  ['JSON: arrays', JSON_TYPE, (size) => `{"email":"a@b.co","x":[${list(size, () => '[]')}]}`],
  ['JSON: objects', JSON_TYPE, (size) => `{"email":"a@b.co","x":[${list(size, (i) => `{"a${i}":1}`)}]}`],
  [
    'JSON: wrapped emails',
    JSON_TYPE,
    (size) => `{"email":"a@b.co",${list(size, (i) => `"u${i}":{"email":"x"}`)}}`,
  ],
  ['JSON: deep', JSON_TYPE, (size) => `{"email":"a@b.co","x":${repeat('[', size)}`],
  [
    'JSON: sixty deep',
    JSON_TYPE,
    (size) => `{"email":"a@b.co","x":[${list(size, () => '['.repeat(60) + ']'.repeat(60))}]}`,
  ],
  [
    'JSON: numbers',
    JSON_TYPE,
    (size) => `{"email":"a@b.co","x":[${list(size, () => '1.23456789012345678e-300')}]}`,
  ],
  ['JSON: one number', JSON_TYPE, (size) => `{"email":"a@b.co","x":${repeat('7', size)}}`],
  ['JSON: escapes', JSON_TYPE, (size) => text(repeat('\\u0065', size))],
  ['JSON: escaped quotes', JSON_TYPE, (size) => text(repeat('\\"', size))],
  ['JSON: surrogates', JSON_TYPE, (size) => text(repeat('\\ud83d\\ude00', size))],
  ['JSON: a condition of marks', JSON_TYPE, (size) => text(marks(size))],
  ['JSON: white space', JSON_TYPE, (size) => `{"email":"a@b.co"${repeat(' ', size)}}`],
  ['JSON: a form in it', JSON_TYPE, (size) => text(repeat('&email=a@b.co', size))],
  ['JSON: the name again and again', JSON_TYPE, (size) => text(repeat('email=', size))],
  ['JSON: nearly the name', JSON_TYPE, (size) => text(`${repeat('emai', size)}=`)],
  ['JSON: the name escaped', JSON_TYPE, (size) => text(`${repeat('%65%6d%61%69', size)}=`)],
  ['JSON: percent signs', JSON_TYPE, (size) => text(`%${repeat('25', size)}=`)],
  [
    'JSON: names with dots before an equals sign',
    JSON_TYPE,
    (size) => text(repeat(`&email${'.'.repeat(180)}=`, size)),
  ],
  ['JSON: half', JSON_TYPE, (size) => repeat('[1,', size)],
  ['multipart: parts', MULTIPART, (size) => parts(size, (i) => part(`f${i}`, 'x'.repeat(size / 1_000)))],
  ['multipart: dashes', MULTIPART, (size) => parts(0, () => part('x', repeat('-', size)))],
  ['multipart: nearly boundaries', MULTIPART, (size) => parts(0, () => part('x', repeat('\r\n--', size)))],
  [
    'multipart: names of dots',
    MULTIPART,
    (size) => parts(size, () => part('.'.repeat(Math.min(900, size / 950)), '')),
  ],
  [
    'multipart: names in names of files',
    MULTIPART,
    (size) =>
      parts(size, () => part('a', '', `; filename="${'name='.repeat(Math.min(1_500, size / 5_000))}"`)),
  ],
  [
    'multipart: eight long names in names of files',
    MULTIPART,
    (size) => {
      const names = Array.from({ length: 8 }, () => `name=${'a'.repeat(Math.min(900, size / 9_000))}`);
      return parts(size, () => part('a', '', `; filename="${names.join('')}"`));
    },
  ],
  [
    'multipart: quotes behind a name in a name',
    MULTIPART,
    (size) => parts(size, () => part(`name=${"'".repeat(Math.min(980, size / 1_000))}`, '')),
  ],
  [
    'form: JSON texts without an end',
    FORM,
    (size) =>
      `email=a%40b.co${Array.from({ length: Math.min(900, size / 20) }, (_, i) => `&x${i}={"email":`).join('')}`,
  ],
  ['form: one JSON text', FORM, (size) => `email=a%40b.co&x=[${repeat('{"email":1},', size)}1]`],
  ['form: pairs of YAML', FORM, (size) => `#&email=a%40b.co&x\n${repeat('email =', size)}`],
  ['form: braces', FORM, (size) => `email=a%40b.co&${repeat('a{b}', size)}=1`],
  [
    'multipart: a head without end',
    MULTIPART,
    (size) => `--X\r\nContent-Disposition: ${repeat('form-data; ', size)}`,
  ],
  ['GraphQL: digits and a letter', JSON_TYPE, (size) => document(size, '7', 'x')],
  ['GraphQL: digits behind dots', JSON_TYPE, (size) => document(size, '7.7', 'x')],
  ['GraphQL: texts without an end', JSON_TYPE, (size) => document(size, '"a\\')],
  ['GraphQL: quotes', JSON_TYPE, (size) => document(size, '"')],
  ['GraphQL: block texts', JSON_TYPE, (size) => document(size, '"""a"""""')],
  ['GraphQL: comments', JSON_TYPE, (size) => document(size, '#"""')],
  ['GraphQL: braces', JSON_TYPE, (size) => document(size, '{signUp')],
  ['GraphQL: byte order marks', JSON_TYPE, (size) => document(size, '\ufeff', 'x')],
  ['GraphQL: names', JSON_TYPE, (size) => document(size, '$a ')],
  ['text: percent signs', 'text/plain', (size) => repeat('%', size)],
  ['text: escapes of escapes', 'text/plain', (size) => repeat('%25%37', size)],
  ['text: escaped backslashes', 'text/plain', (size) => `r${repeat('%5C', size)}`],
  ['text: letters with backslashes', 'text/plain', (size) => repeat(`re${'\\'.repeat(8)}`, size)],
  ['text: letters with continued lines', 'text/plain', (size) => repeat('re\\\n \\\n', size)],
  ['text: continued lines', 'text/plain', (size) => `re${repeat('\\\n ', size)}`],
  ['text: charsets', 'text/plain', (size) => repeat('\ncontent-type:;charset=utf-8', size)],
  ['text: transfer encodings', 'text/plain', (size) => repeat('transfer-encoding:', size)],
  ['XML: marks', 'application/xml', (size) => repeat('<!--><?-><![CDATA[r]]>-->', size)],
  ['XML: references', 'text/xml', (size) => `<a>${repeat('&#101;', size)}`],
  ['XML: comments that never end', 'text/plain', (size) => `<a>${repeat('<!--', size)}`],
  ['multipart: types', MULTIPART, (size) => repeat('\n content-type: x;', size)],
  [
    'multipart: types and encodings',
    MULTIPART,
    (size) => repeat('\ncontent-encoding:7bit\r\ncontent-type:x\r', size),
  ],
  ['text: the words of the condition', 'text/plain', (size) => repeat('action=register ', size)],
  ['text: nearly the words', 'text/plain', (size) => repeat('%61%63%74%69%6f', size)],
  ['JSON: a name of converters', JSON_TYPE, (size) => `{"${repeat(':list', size)}":1,"email":"a@b.co"}`],
  [
    'JSON: a name of converters and text',
    JSON_TYPE,
    (size) => `{"${repeat(':a', size)}!":1,"email":"a@b.co"}`,
  ],
  ['JSON: a name of NULs', JSON_TYPE, (size) => `{"${repeat('\\u0000', size)}":1,"email":"a@b.co"}`],
  [
    'JSON: a name of backslashes and a NUL',
    JSON_TYPE,
    (size) => `{"${repeat('\\\\', size)}\\u0000":1,"email":"a@b.co"}`,
  ],
  [
    'multipart: a content of broken boundaries',
    MULTIPART,
    (size) => parts(size, () => part('note', repeat('-\r\n', size))),
  ],
];

export function hostileBodies(size: number): HostileBody[] {
  return HOSTILE_RECIPES.map(([id, type, make]) => ({ id, type, bytes: Buffer.from(make(size)) }));
}
