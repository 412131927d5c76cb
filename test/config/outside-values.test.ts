import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { ConfigError } from '../../src/config/config-error.ts';
import { loadConfig } from '../../src/config/load.ts';
import { knownNames } from './known-names.ts';
import { issuesOf, load } from './load-text.ts';

test('the environment fills values of every type, and only there text is read as a number or a boolean', (t) => {
  const text = `
api: {listen: "127.0.0.1:\${PORT}"}
scoring: {dns: {enabled: "\${DNS}"}, weights: {email: "\${WEIGHT}"}, velocity: {ip: {per_day: "\${NONE}"}}}
privacy: {hash_secret: "a\${SECRET}b $\${PORT} \${NESTED}"}
workers: \${WORKERS}
`;
  const env = { PORT: '9000', DNS: 'false', WEIGHT: '0.5', SECRET: '123', WORKERS: '3', NONE: 'null' };
  const { config } = load(text, { ...env, NESTED: `\${PORT}` });
  t.is(config.api.listen, '127.0.0.1:9000');
  t.false(config.scoring.dns.enabled);
  t.is(config.scoring.weights.email, 0.5);
  t.is(config.scoring.velocity.ip.per_day, undefined);
  t.is(config.privacy.hash_secret, `a123b \${PORT} \${PORT}`);
  t.is(config.workers, 3);
  t.deepEqual(issuesOf('workers: "3"'), ['1:10 workers']);
  t.deepEqual(issuesOf(text, { ...env, NESTED: '', WORKERS: '0', DNS: 'maybe' }), [
    '3:26 scoring.dns.enabled',
    '5:10 workers',
  ]);
});

test('a secret that is set but empty is an issue', (t) => {
  t.deepEqual(issuesOf(`privacy: {hash_secret: "\${EMPTY}"}`, { EMPTY: '' }), ['1:24 privacy.hash_secret']);
});

test('names of the environment are looked up as they are, never on the prototype', (t) => {
  t.deepEqual(issuesOf(`privacy: {hash_secret: "\${constructor}\${__proto__}"}`), [
    '1:24 privacy.hash_secret',
    '1:24 privacy.hash_secret',
  ]);
});

test('a secret comes from a file without its last line end, relative to the configuration', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'secret'), 'line one\nline two, with many characters\n');
  chmodSync(join(folder, 'secret'), 0o600);
  writeFileSync(join(folder, 'gatekeeper.yaml'), `privacy: {hash_secret: "\${file:secret}"}`);
  const source = { file: join(folder, 'gatekeeper.yaml'), env: {}, knownNames };
  const { config, warnings, secretPlaces } = loadConfig(source);
  t.is(config.privacy.hash_secret, 'line one\nline two, with many characters');
  t.deepEqual(warnings, []);
  t.deepEqual([...secretPlaces], ['/privacy/hash_secret']);

  chmodSync(join(folder, 'secret'), 0o644);
  t.regex(loadConfig(source).warnings.join(), /hash_secret: secret can be read by every user/);
});

const INLINE = 'a secret of thirty-two letters or more';

test('a configuration file with a secret in it that everyone can read is warned of', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'gatekeeper.yaml');
  const warningsOf = (text: string, mode: number) => {
    writeFileSync(file, text);
    chmodSync(file, mode);
    return loadConfig({ file, env: { S: INLINE }, knownNames }).warnings.length;
  };
  t.is(warningsOf(`privacy: {hash_secret: ${INLINE}}`, 0o644), 1);
  t.is(warningsOf(`privacy: {hash_secret: ${INLINE}}`, 0o640), 0);
  t.is(warningsOf('mail: {smtp: "smtp://u:p@mail.example"}', 0o644), 1);
  t.is(warningsOf(`privacy: {hash_secret: "\${S}"}`, 0o644), 0);
});

test('a file that cannot be read as text is an issue that names it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'latin1.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xe9]));
  for (const [name, reason] of [
    ['absent.yaml', 'it does not exist'],
    ['latin1.yaml', 'it is not UTF-8; save it as UTF-8'],
    ['.', 'it is a folder'],
  ] as const) {
    const error = t.throws(() => loadConfig({ file: name, folder, env: {}, knownNames }), {
      instanceOf: ConfigError,
    });
    t.true(
      error.message.startsWith(`${name}:1:1: cannot read the configuration file: ${reason}`),
      error.message,
    );
  }
});
