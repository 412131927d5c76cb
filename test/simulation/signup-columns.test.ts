import test from 'ava';
import {
  type ColumnChoice,
  fieldValue,
  findColumns,
  parseColumnChoice,
} from '../../src/simulation/signup-columns.ts';

const NO_CHOICE: ColumnChoice = new Map();
const placesOf = (names: readonly string[], choice: ColumnChoice = NO_CHOICE) =>
  Object.fromEntries(findColumns(names, choice).places);

for (const [field, names] of [
  [
    'time',
    'time Time created_at createdAt CREATED-AT "Created At" timestamp date datetime signup_time registered_at date_joined created',
  ],
  ['email', 'email E-Mail mail email_address emailAddress user.email "Email Address"'],
  ['ip_address', 'ip_address ipAddress ip IP ip_addr remote_ip remoteIp client-ip signup_ip'],
  ['user_agent', 'user_agent userAgent User-Agent ua useragent'],
  ['label', 'label fraud is_fraud isFraud "Is Fraud"'],
] as const) {
  for (const name of names.match(/"[^"]+"|\S+/g) ?? []) {
    const plain = name.replaceAll('"', '');
    test(`the column ${plain} is the ${field}`, (t) => {
      t.deepEqual(placesOf(['id', plain, 'plan']), { [field]: 1 });
    });
  }
}

test('columns of other events and unknown names are no field', (t) => {
  t.deepEqual(placesOf(['last_ip', 'updated_at', 'last_login_at', 'name', '', '__proto__']), {});
});

test('the documented name wins over usual names', (t) => {
  t.deepEqual(placesOf(['created_at', 'time', 'timestamp', 'ip', 'ip_address', 'email']), {
    time: 1,
    ip_address: 4,
    email: 5,
  });
});

test('the time of our own exports is recognised, and yields to any other name', (t) => {
  t.deepEqual(placesOf(['processed_at', 'last_seen_at', 'email']), { time: 0, email: 2 });
  t.deepEqual(placesOf(['processed_at', 'created_at']), { time: 1 });
});

test('two columns that may be one field are ambiguous until one is chosen', (t) => {
  const names = ['created_at', 'timestamp', 'mail', 'ip'];
  t.deepEqual(findColumns(names, NO_CHOICE).ambiguous, [
    { field: 'time', names: ['created_at', 'timestamp'] },
  ]);
  t.deepEqual(placesOf(names, new Map([['time', 'timestamp']])), {
    time: 1,
    email: 2,
    ip_address: 3,
  });
});

test('a chosen name is found exactly first, then without regard to case and signs', (t) => {
  const choice = parseColumnChoice('time = Joined , email=E MAIL');
  if (typeof choice === 'string') return t.fail(choice);
  t.deepEqual(Object.fromEntries(findColumns(['joined', 'Joined', 'e_mail'], choice).places), {
    time: 1,
    email: 2,
  });
  t.deepEqual(findColumns(['a', 'b'], choice).unknown, ['Joined', 'E MAIL']);
});

for (const [text, says] of [
  ['', /is not a field and its column/],
  ['time', /“time” is not a field/],
  ['created=created_at', /“created=created_at” is not a field .* The fields are time, email/],
  ['time=', /is not a field and its column/],
  ['time=a,time=b', /time occurs twice/],
] as const) {
  test(`the choice "${text}" is refused with the reason`, (t) => {
    const read = parseColumnChoice(text);
    t.regex(typeof read === 'string' ? read : '', says);
  });
}

test('a column that says fraud as a truth value is read as a label', (t) => {
  for (const value of ['1', 'true', 'TRUE', ' yes ', 1, true, 'fraud'])
    t.is(fieldValue('label', value, 'is_fraud'), 'fraud', String(value));
  for (const value of ['0', 'false', 'No', 0, false, 'legitimate'])
    t.is(fieldValue('label', value, 'is_fraud'), 'legitimate', String(value));
  t.is(fieldValue('label', '1', 'label'), '1', 'a label has its two words only');
  for (const column of ['label', 'is_fraud']) {
    t.is(fieldValue('label', 'FRAUD', column), 'fraud');
    t.is(fieldValue('label', ' Legitimate ', column), 'legitimate');
    t.is(fieldValue('label', '  ', column), null, 'a blank is no label');
  }
  t.is(fieldValue('label', 'maybe', 'fraud'), 'maybe');
  t.is(fieldValue('email', '1', 'mail'), '1');
});
