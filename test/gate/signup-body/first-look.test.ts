import { gzipSync } from 'node:zlib';
import test from 'ava';
import { FORM, JSON_TYPE, MULTIPART, part, read, type Sent } from './read-under-condition.ts';

const PASSES: readonly (readonly [what: string, body: string | Buffer, sent: Sent])[] = [
  ['nothing', '', {}],
  ['nothing with a type', '', { type: FORM }],
  ['text', 'hello, world', { type: 'text/plain' }],
  ['text without a type', 'hello, world', {}],
  ['text in Latin-1', Buffer.from('caf\xe9', 'latin1'), { type: 'text/plain; charset=iso-8859-1' }],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff]), { type: 'image/png' }],
  ['XML', '<a>b</a>', { type: 'application/xml' }],
  ['a list', '[1,2,3]', { type: JSON_TYPE }],
  ['a list of texts', '["a","b"]', { type: JSON_TYPE }],
  ['lists of other fields', 'ids[]=1&ids[]=2&action=delete', { type: FORM }],
  ['a list in its place', 'action[]=a&action[]=b', { type: FORM }],
  ['a list in its place in JSON', '{"action":["a","b"]}', { type: JSON_TYPE }],
  ['names twice', '{"a":1,"a":2}', { type: JSON_TYPE }],
  ['broken JSON', '{"action":', { type: JSON_TYPE }],
  ['a form that is not UTF-8', 'x=%ff&action=search', { type: FORM }],
  ['odd multipart', 'hello', { type: 'multipart/form-data' }],
  ['another charset', 'x=1', { type: `${FORM}; charset=utf-16` }],
  ['compressed text', gzipSync('hello'), { type: 'text/plain', encodings: ['gzip'] }],
  ['text in a charset with ASCII in it', 'x', { type: 'text/plain; charset=GB18030' }],
  ['escapes of anything else', '%5Cu0061b=%25%34%31&%%41%%%', { type: FORM }],
  ['a thousand fields', 'x=1&'.repeat(2_000), { type: FORM }],
];

for (const [what, body, sent] of PASSES) {
  test(`at an address with a condition ${what} passes`, async (t) => {
    t.is(await read(body, sent), 'passes');
  });
}

const JUDGED_OR_REFUSED: readonly (readonly [
  what: string,
  body: string | Buffer,
  sent: Sent,
  outcome: string | number,
])[] = [
  ['a form', 'action=register&email=a%40b.co', { type: FORM }, 'a@b.co'],
  ['a form with the value escaped', '%61ction=%72egister&email=a%40b.co', { type: FORM }, 'a@b.co'],
  [
    'JSON with the value escaped',
    '{"\\u0061ction":"regi\\u0073ter","email":"a@b.co"}',
    { type: JSON_TYPE },
    'a@b.co',
  ],
  ['JSON in capitals', '{"action":"REGISTER","email":"a@b.co"}', { type: JSON_TYPE }, 'a@b.co'],
  [
    'compressed JSON',
    gzipSync('{"action":"register","email":"a@b.co"}'),
    { type: JSON_TYPE, encodings: ['gzip'] },
    'a@b.co',
  ],
  ['text that is JSON', '{"action":"register","email":"a@b.co"}', { type: 'text/plain' }, 415],
  ['text that is a form', 'action=register&email=a%40b.co', { type: 'text/plain' }, 415],
  ['a form without a type', 'action=register&email=a%40b.co', {}, 415],
  ['JSON in UTF-16', Buffer.from('{"action":"register"}', 'utf16le'), { type: JSON_TYPE }, 400],
  ['JSON of Go with a long s', '{"action":"regi\u017fter","x":1,"a":1,"a":2}', { type: JSON_TYPE }, 400],
  ['a list in its place', 'action[]=register&email=a%40b.co', { type: FORM }, 400],
  ['a name twice', '{"action":"register","email":"a@b.co","email":"c@d.co"}', { type: JSON_TYPE }, 400],
  ['a value in the query', 'email=a%40b.co', { type: FORM, target: '/index.php?action=register' }, 'a@b.co'],
  ['a value in the query, and no body', '', { target: '/index.php?action=register' }, 'no email'],
  [
    'a value in the query, and text',
    'hello',
    { type: 'text/plain', target: '/index.php?action=register' },
    415,
  ],
  [
    'a transfer encoding that some decode',
    '--X\r\nContent-Disposition: form-data; name="action"\r\nContent-Transfer-Encoding: base64\r\n\r\ncmVnaXN0ZXI=\r\n--X--\r\n',
    { type: 'multipart/form-data; boundary=X' },
    400,
  ],
  ['an encoding that is not known', 'x', { type: JSON_TYPE, encodings: ['zstd'] }, 415],
  ['UTF-7', '+AHsAIgBhACI-', { type: `${JSON_TYPE}; charset=utf-7` }, 415],
  ['EBCDIC', Buffer.from([0x81, 0x83, 0xa3]), { type: `${FORM}; charset="ibm037"` }, 415],
  ['a charset with escapes between letters', 'acti\x1b(Bon', { type: `${FORM};charset=iso-2022-jp` }, 415],
  ['a value in base64 as its charset', partWith('action', 'charset=base64'), { type: MULTIPART }, 400],
  ['a value in UTF-7', partWith('action', 'charset="utf-7"'), { type: MULTIPART }, 400],
  ['a name in pieces', part('name*0="act"; name*1="ion"', 'register'), { type: MULTIPART }, 400],
  ['a name with a quoted letter', part('name="ac\\tion"', 'register'), { type: MULTIPART }, 400],
  ['a form escaped as in old servers', '%u0061ction=%u0072egister', { type: FORM }, 400],
  ['a form whose escapes are escaped', '%2561ction=%25%37%32egister&action=', { type: FORM }, 400],
];

function partWith(name: string, charset: string): string {
  return part(`name="${name}"`, '\xae\x08', `\r\nContent-Type: text/plain; ${charset}`);
}

for (const [what, body, sent, outcome] of JUDGED_OR_REFUSED) {
  test(`at an address with a condition ${what} that may be the signup does not pass`, async (t) => {
    t.is(await read(body, sent), outcome);
  });
}
