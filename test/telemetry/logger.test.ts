import test from 'ava';
import { createLogger, type LoggerOptions } from '../../src/telemetry/logger.ts';

function capture(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const log = createLogger({
    level: 'debug',
    format: 'json',
    ...options,
    write: (line) => void lines.push(line),
  });
  return { log, lines };
}

const HOSTILE = 'a\r\nb\u2028c\u2029d\u0085e\u001b[31mf\u0000g\ud800h';

for (const format of ['json', 'pretty'] as const) {
  test(`a value full of line breaks and controls stays on one ${format} line`, (t) => {
    const { log, lines } = capture({ format });
    log.info({ path: HOSTILE, [HOSTILE]: 1 }, HOSTILE);
    t.is(lines.length, 1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what must not be there
    t.notRegex(lines[0]?.replace(/\n$/, '') ?? '', /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
  });
}

test('a line is JSON with the time, the level by name, the message and the facts', (t) => {
  const { log, lines } = capture();
  log.warn({ status: 503 }, 'shed');
  const line = JSON.parse(lines[0] ?? '');
  t.like(line, { level: 'warn', message: 'shed', status: 503 });
  t.regex(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  t.deepEqual(Object.keys(line), ['level', 'time', 'status', 'message']);
});

test('personal data and credentials are never written', (t) => {
  const { log, lines } = capture();
  const secret = 'someone@example.com';
  log.info({ email: secret, ip: secret, attempt: { email: secret, ip_address: secret } }, 'm');
  log.info({ headers: { 'x-api-key': secret, cookie: secret }, request: { 'x-api-key': secret } }, 'm');
  t.false(lines.join('').includes(secret));
});

test('below the level nothing is written, and callers can ask before gathering facts', (t) => {
  const { log, lines } = capture({ level: 'warn' });
  log.info({}, 'm');
  t.deepEqual(lines, []);
  t.false(log.isLevelEnabled('debug'));
  t.true(log.isLevelEnabled('error'));
  t.false(capture({ level: 'silent' }).log.isLevelEnabled('error'));
});

test('an error keeps its stack, in lines of their own for people', (t) => {
  const json = capture();
  json.log.error({ err: new Error('disk full') }, 'records failed');
  t.regex(JSON.parse(json.lines[0] ?? '').err.stack, /disk full[\s\S]*\.test\./);
  const pretty = capture({ format: 'pretty' });
  pretty.log.error({ err: new Error('disk full') }, 'records failed');
  t.regex(
    pretty.lines[0] ?? '',
    /^\d\d:\d\d:\d\d\.\d{3} ERROR records failed\n {4}Error: disk full\n {4,}at /,
  );
});

test('the message of an error does not repeat a cause that it quotes', (t) => {
  const { log, lines } = capture();
  const cause = new Error('connect ECONNREFUSED');
  log.warn({ err: new Error('The database does not answer (connect ECONNREFUSED).', { cause }) }, 'm');
  const { err } = JSON.parse(lines[0] ?? '');
  t.is(err.message, 'The database does not answer (connect ECONNREFUSED).');
  t.regex(err.stack, /caused by: Error: connect ECONNREFUSED/);
});

test('auto writes JSON where standard output is no terminal', (t) => {
  const lines: string[] = [];
  createLogger({ level: 'info', format: 'auto', write: (line) => void lines.push(line) }).info(
    { a: 1 },
    'said',
  );
  if (process.stdout.isTTY) t.regex(lines[0] ?? '', /INFO {2}said a=1/);
  else t.like(JSON.parse(lines[0] ?? ''), { level: 'info', message: 'said', a: 1 });
});
