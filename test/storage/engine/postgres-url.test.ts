import test from 'ava';
import { isPostgresUrl, parsePostgresUrl } from '../../../src/storage/engine/postgres-url.ts';

test('the name for messages has no user, no password and no parameters', (t) => {
  const { name, max, connectTimeoutMs, connectionString } = parsePostgresUrl(
    'postgres://ann:pass%2Fword@db.example:5433/records?sslmode=verify-full&max=5&connect_timeout=10',
  );
  t.is(name, 'postgres://db.example:5433/records');
  t.deepEqual({ max, connectTimeoutMs }, { max: 5, connectTimeoutMs: 10_000 });
  t.is(connectionString, 'postgres://ann:pass%2Fword@db.example:5433/records?sslmode=verify-full');
  const socket = parsePostgresUrl('postgresql://ann@localhost/records?host=/var/run/postgresql');
  t.is(socket.name, 'postgres:///var/run/postgresql/records');
  t.is(socket.max, 2);
});

for (const url of [
  'postgres://ann:hunter2@a,b:x/records',
  'postgres://ann:hunter2@h:99999/records',
  'postgres://ann:hunter2@h/records?max=0',
  'postgres://ann:hunter2@h/records?max=many',
  'postgres://ann:hunter2@h/records?max=101',
  'postgres://ann:hunter2@h/records?connect_timeout=0.5',
  'postgres://ann:hunter2@h/records?sslmode=verify_full',
  'postgres://ann:hunter2@h/records?sslmode=',
  'postgres://ann:hunter2@h/records?ssl_mode=verify-full',
  'postgres://ann:hunter2@h/records?sslMode=verify-full',
  'postgres://ann:hunter2@h/records?SSLROOTCERT=/ca.pem',
  'postgres://ann:hunter2@h/records?sslmode=verify-full&sslrootcert=/no/such/ca.pem',
  'postgres://ann:hunter2@h/records?sslrootcert=system',
  'postgres://ann:hunter2@h/records?sslcert=/no/such/one.crt&sslkey=/no/such/one.key',
  `postgres://ann:hunter2@h/records?sslmode=verify-full&sslrootcert=${import.meta.dirname}`,
  `postgres://ann:hunter2@h/records?sslmode=verify-full&sslrootcert=${import.meta.filename}`,
  `postgres://ann:hunter2@h/records?sslkey=${import.meta.filename}`,
  'postgres://ann:hunter2@h/records?ssl=yes',
  'postgres://ann:hunter2@h/records?ssl=',
]) {
  test(`${url.replace('hunter2', '…')} is refused without its password`, (t) => {
    const error = t.throws(() => parsePostgresUrl(url), { name: 'StorageError' });
    t.regex(error?.message ?? '', /storage\.records/);
    t.false(`${error?.stack}${JSON.stringify(error?.cause ?? '')}`.includes('hunter2'));
  });
}

for (const url of [
  'postgres://ann:hunter2@a:5432,b:5432/records',
  'postgres://ann:hunter2@a,b:5432/records',
  'postgres://a,b/records',
  'postgres://ann:hunter2@a/records?host=a,b',
]) {
  test(`${url.replace('hunter2', '…')} has several hosts, and the message says what to do`, (t) => {
    const error = t.throws(() => parsePostgresUrl(url), { message: /several hosts: write one address/ });
    t.false(String(error?.stack).includes('hunter2'));
  });
}

test('a comma in a password is no second host', (t) => {
  t.is(parsePostgresUrl('postgres://ann:a,b@h/records').name, 'postgres://h/records');
});

const certificates = `${import.meta.dirname}/../../http/testdata`;

test('usable files of TLS are left to the driver', (t) => {
  const files = `sslrootcert=${certificates}/one.crt&sslcert=${certificates}/one.crt&sslkey=${certificates}/one.key`;
  const url = `postgres://ann@h/records?sslmode=verify-full&${files}`;
  const { searchParams } = new URL(parsePostgresUrl(url).connectionString);
  t.deepEqual([...searchParams], [...new URL(url).searchParams]);
});

test('a certificate with the key of another one is refused', (t) => {
  const url = `postgres://ann@h/records?sslcert=${certificates}/one.crt&sslkey=${certificates}/two.key`;
  t.throws(() => parsePostgresUrl(url), { message: /do not belong together/ });
});

test('ssl=false is one of the values that the driver knows', (t) => {
  const { connectionString } = parsePostgresUrl('postgres://ann@h/records?ssl=false');
  t.is(connectionString, 'postgres://ann@h/records?ssl=0');
  const encrypted = 'postgres://ann@h/records?ssl=true';
  t.is(parsePostgresUrl(encrypted).connectionString, encrypted);
});

for (const mode of ['prefer', 'require', 'verify-ca']) {
  test(`sslmode=${mode} means verify-full, without a warning of the driver`, (t) => {
    const { connectionString } = parsePostgresUrl(`postgres://ann@h/records?sslmode=${mode}&max=3`);
    t.is(connectionString, 'postgres://ann@h/records?sslmode=verify-full');
    const compatible = `postgres://ann@h/records?uselibpqcompat=true&sslmode=${mode}`;
    t.is(parsePostgresUrl(compatible).connectionString, compatible);
  });
}

test('parameters of other programs are left to the driver', (t) => {
  const url = 'postgres://ann@h/records?sslmode=disable&channel_binding=require&sslnegotiation=direct';
  t.is(parsePostgresUrl(url).connectionString, url);
});

test('both schemes of PostgreSQL are known, in any case', (t) => {
  t.true(
    isPostgresUrl('postgres://h/d') && isPostgresUrl('postgresql://h/d') && isPostgresUrl('Postgres://h/d'),
  );
  t.false(isPostgresUrl('sqlite:postgres://h/d'));
});
