import test from 'ava';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import type { RouteCandidate } from '../../../src/gate/routes/route-table.ts';
import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { route } from '../../helpers/routes.ts';

const CHARSETS = ['iso-8859-1', 'ISO-8859-15', 'windows-1251', 'windows-1252', 'latin1', 'us-ascii'];

function read(charset: string, body: string, signupRoute = route('/signup')) {
  return readAs(`application/x-www-form-urlencoded; charset=${charset}`, body, signupRoute);
}

function readAs(contentType: string, body: string, signupRoute = route('/signup')) {
  const candidates = [{ route: signupRoute, bodyCondition: 'none' }] as unknown as RouteCandidate[];
  return readSignup(
    {
      target: '/signup',
      rawHeaders: [],
      contentTypes: [contentType],
      contentEncodings: [],
      budget: createWorkBudget(10_000_000),
      bytes: Buffer.from(body, 'latin1'),
    },
    candidates,
  );
}

for (const [what, body] of [
  // For an app that reads every form as UTF-8 these are other mailboxes than for an app that reads the charset.
  ['a wide letter in the domain', 'email=a@%EF%BD%8Dailinator.com'],
  ['an ideographic full stop', 'email=a@mailinator%E3%80%82com'],
  ['a domain of another script', 'email=a@b%C3%BCcher.example'],
  ['a raw byte', 'email=a@b\xfccher.example'],
  ['a letter of the local part', 'email=m%C3%BCller@company.example'],
  ['a second email', 'email=a@company.example&model.Email=a@%EF%BD%8Dailinator.com'],
  ['a second email with a wide at sign', 'email=a@company.example&user[email]=evil%EF%BC%A0x.example'],
  ['a wide letter in a name', 'email=a@company.example&%EF%BD%85mail=evil@x.example'],
  ['a name with a byte that some drop', 'email=a@company.example&em%FFail=evil@x.example'],
] as const) {
  test(`in a charset besides UTF-8 the email is refused for ${what}`, async (t) => {
    for (const charset of CHARSETS) {
      const error = await t.throwsAsync(read(charset, body), { instanceOf: ProblemError }, charset);
      t.is((error as ProblemError).code, 'invalid_request');
    }
  });
}

test('other fields of a form may be in its own charset', async (t) => {
  for (const charset of CHARSETS) {
    const signup = await read(
      charset,
      'email=a%40company.example&name=J%FCrgen+M\xfcller&pr%E9nom=%80&x=%EF%BD%8D',
    );
    t.is(signup?.email, 'a@company.example', charset);
    t.deepEqual(signup?.otherEmails, []);
  }
  const latin = route('/signup', { when: { prénom: 'Zoé' } });
  t.is((await read('iso-8859-1', 'email=a@company.example&pr%E9nom=Zo%E9', latin))?.route, latin);
});

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=B';
const partOf = (name: string, value: string) =>
  `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
/** The form in both encodings, with its charset in a field. */
const formsIn = (label: string, email: string) =>
  [
    [FORM, `_charset_=${label}&email=${encodeURIComponent(email)}`],
    [FORM, `email=${encodeURIComponent(email)}&_Charset_=${label}`],
    [
      MULTIPART,
      `${partOf('_charset_', label)}${partOf('email', Buffer.from(email).toString('latin1'))}--B--`,
    ],
  ] as const;

test('a form that names another charset in a field is read like one that names it in its type', async (t) => {
  for (const label of ['utf-7', 'UTF-16', 'cp037', 'unicode_escape', 'x'.repeat(500)])
    for (const [type, body] of formsIn(label, 'x+AGE-@company.example')) {
      const error = await t.throwsAsync(readAs(type, body), { instanceOf: ProblemError }, `${type} ${label}`);
      t.is((error as ProblemError).code, 'unsupported_media_type');
    }
  for (const label of ['utf-8', 'UTF8', '', 'windows-1252', ' iso-8859-1 '])
    for (const [type, body] of formsIn(label, 'ann@company.example'))
      t.is((await readAs(type, body))?.email, 'ann@company.example', `${type} ${label}`);
  for (const [type, body] of formsIn('windows-1252', 'jürgen@company.example')) {
    const error = await t.throwsAsync(readAs(type, body), { instanceOf: ProblemError }, type);
    t.is((error as ProblemError).code, 'invalid_request');
  }
  for (const [type, body] of formsIn('utf-8', 'jürgen@company.example'))
    t.is((await readAs(type, body))?.email, 'jürgen@company.example', type);
});

test('a form that names its charset in a field may have other fields in that charset', async (t) => {
  for (const body of [
    '_charset_=windows-1251&email=ann%40company.example&name=%C8%E2%E0%ED',
    'email=ann%40company.example&name=J%FCrgen+M\xfcller&_charset_=ISO-8859-1',
    'email=ann%40company.example&name=%80&_CHARSET_=utf-8&_charset_=windows-1252',
  ])
    t.is((await readAs(FORM, body))?.email, 'ann@company.example', body);
  for (const body of [
    '_charset_=windows-1251&email=%C8@company.example',
    '_charset_=windows-1251&em%FFail=evil@x.example&email=ann%40company.example',
    '_charset_=utf-8&email=ann%40company.example&name=%C8%E2%E0%ED',
    'x_charset_=windows-1251&email=ann%40company.example&name=%C8%E2%E0%ED',
  ]) {
    const error = await t.throwsAsync(readAs(FORM, body), { instanceOf: ProblemError }, body);
    t.is((error as ProblemError).code, 'invalid_request');
  }
});

test('a multipart form with another charset in its type has an email in ASCII', async (t) => {
  const form = (email: string) =>
    `${partOf('name', 'J\xc3\xbcrgen')}${partOf('email', Buffer.from(email).toString('latin1'))}--B--`;
  const type = `${MULTIPART}; charset=iso-8859-1`;
  t.is((await readAs(type, form('ann@company.example')))?.email, 'ann@company.example');
  const error = await t.throwsAsync(readAs(type, form('jürgen@company.example')), {
    instanceOf: ProblemError,
  });
  t.is((error as ProblemError).code, 'invalid_request');
});

/** Taro Yamada, as browsers send the name from a page in this charset. */
const ASIAN = [
  ['Shift_JIS', '%8ER%93c%91%BE%98Y%83%5C%83%81'],
  ['windows-31j', '%8ER%93c'],
  ['EUC-JP', '%BB%B3%C5%C4'],
  ['GBK', '%C9%BD%CC%EF%81%40'],
  ['gb18030', '%C9%BD%810%810'],
  ['Big5', '%A4s%A5%D0%A5%5C'],
  ['EUC-KR', '%BB%EA%C0%FC'],
] as const;

test('a form in a charset of East Asia is read when its email is ASCII', async (t) => {
  for (const [label, name] of ASIAN) {
    const body = `email=taro%40company.example&name=${name}`;
    t.is((await read(label, body))?.email, 'taro@company.example', label);
    t.is((await readAs(FORM, `_charset_=${label}&${body}`))?.email, 'taro@company.example', label);
  }
  for (const [type, body] of formsIn('Shift_JIS', 'taro@company.example'))
    t.is((await readAs(type, body))?.email, 'taro@company.example', type);
});

test('a form in a charset of East Asia is refused when a character may hide a field, a separator or the email', async (t) => {
  for (const [label] of ASIAN)
    for (const hidden of [
      // A byte outside ASCII may take the next one with it: an app that ignores the charset finds another field.
      'email=taro%40company.example&%83email=evil%40x.example',
      'email=taro%40company.example\x83&x=1',
      'email=taro%83%40company.example',
      'email=taro%40company%81%40.example',
    ])
      for (const reading of [read(label, hidden), readAs(FORM, `${hidden}&_charset_=${label}`)]) {
        const error = await t.throwsAsync(reading, { instanceOf: ProblemError }, `${label} ${hidden}`);
        t.is((error as ProblemError).code, 'invalid_request');
      }
  for (const [label] of ASIAN)
    t.deepEqual(
      (await read(label, 'email=taro%40company.example&user%83[email]=evil%40x.example'))?.otherEmails,
      ['evil@x.example'],
      label,
    );
  for (const label of ['iso-2022-jp', 'hz-gb-2312', 'iso-2022-kr']) {
    const error = await t.throwsAsync(read(label, 'email=taro%40company.example'), {
      instanceOf: ProblemError,
    });
    t.is((error as ProblemError).code, 'unsupported_media_type');
  }
  const parts = `${partOf('email', 'taro@company.example')}--B--`;
  const error = await t.throwsAsync(readAs(`${MULTIPART}; charset=Shift_JIS`, parts), {
    instanceOf: ProblemError,
  });
  t.is((error as ProblemError).code, 'unsupported_media_type');
});

test('a condition on a form counts bytes that are not UTF-8 as dropped, as CodeIgniter drops them', async (t) => {
  const whenSignup = route('/signup', { when: { action: 'signup' } });
  for (const value of ['sign%FFup', '%FFsignup', 'signup%FF', 'sig%83nup', 'sig%81nup']) {
    const body = `action=${value}&email=a%40company.example`;
    for (const label of ['utf-8', 'iso-8859-1', 'windows-1252', 'Shift_JIS', 'GBK']) {
      const result = await read(label, body, whenSignup).catch((error) => (error as ProblemError).code);
      t.true(result === 'invalid_request' || result !== null, `${label} ${value}`);
    }
  }
  const login = 'action=login%FF&name=J%FCrgen&email=a%40company.example';
  for (const label of ['utf-8', 'iso-8859-1', 'Shift_JIS'])
    t.is(await read(label, login, whenSignup), null, label);
  const file = partOf('f"; filename="x', 'action\r\nsign\xffup');
  t.is(await readAs(MULTIPART, `${file}--B`, whenSignup), null);
  const form = `${partOf('action', 'sign\xffup')}${partOf('email', 'a@company.example')}--B--`;
  const error = await t.throwsAsync(readAs(MULTIPART, form, whenSignup), { instanceOf: ProblemError });
  t.is((error as ProblemError).code, 'invalid_request');
});
