import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { runCommandLine } from '../../src/cli/program.ts';
import { loadConfig } from '../../src/config/load.ts';
import { knownNames } from '../config/known-names.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { DEPLOY, readDeploy, readDeployYaml } from './read-deploy.ts';
import { type Compose, manifests, podOf } from './read-manifests.ts';

test('what containers run is a command of the program', async (t) => {
  const { services } = readDeployYaml<Compose>('compose/compose.yaml');
  const composed = Object.entries(services).flatMap(([name, { image, command }]) =>
    image === 'gatekeeper:local' && Array.isArray(command) ? [{ name, words: command }] : [],
  );
  const pods = manifests.filter((path) => /\n {6,}containers:/.test(readDeploy(path)));
  const contained = pods.flatMap((path) =>
    podOf(path).containers.map(({ args }) => ({ name: path, words: args })),
  );
  t.true(contained.length > 0);
  for (const { name, words } of [...composed, ...contained]) {
    const command = words.slice(0, words.indexOf('--config'));
    let out = '';
    const write = (text: string) => {
      out += text;
    };
    const deliver = async () => true;
    const outputs = { write, writeError: write, deliver };
    const context = { cwd: '.', env: {}, ...outputs, isTerminal: false, hasColour: false };
    const signals = { stop: new AbortController().signal, onHangUp() {}, release() {} };
    await runCommandLine([...command, '--help'], { context, signals });
    t.true(out.startsWith(`Usage: gatekeeper ${command.join(' ')} `), `${name}: ${command.join(' ')}`);
  }
});

const configurations = {
  'compose/config/gatekeeper.yaml': () => readDeploy('compose/config/gatekeeper.yaml'),
  'kubernetes/config-map.yaml': () =>
    readDeployYaml<{ data: Record<string, string> }>('kubernetes/config-map.yaml').data['gatekeeper.yaml'] ??
    '',
};
for (const [path, read] of Object.entries(configurations)) {
  test(`${path} is a valid configuration, without a weakness`, (t) => {
    const urls: Readonly<Record<string, string>> = parse(
      readDeploy('kubernetes/secret.example.yaml'),
    ).stringData;
    const { config, warnings } = loadConfig({
      file: 'gatekeeper.yaml',
      text: read(),
      folder: temporaryFolder(t),
      env: { GATEKEEPER_UPSTREAM: 'http://app:3000', GATEKEEPER_PUBLIC_URL: 'https://app.example' },
      knownNames,
      readFile: (file) => ({
        text: file.endsWith('_url') ? (urls[file.split('/').at(-1) ?? ''] ?? '') : 'a'.repeat(64),
        openToOthers: false,
      }),
    });
    t.deepEqual(
      warnings.filter((warning) => !/mail|development/.test(String(warning))),
      [],
    );
    t.true(config.storage.records.startsWith('postgres://'));
    t.is(config.verification.hold_secrets.length, 1);
    t.not(config.privacy.hash_secret, null);
  });
}

test('the image has every folder that the package ships for running', (t) => {
  const { files } = JSON.parse(readFileSync(join(DEPLOY, '../package.json'), 'utf8')) as { files: string[] };
  const readers = ['deploy', 'docs', 'examples', 'gatekeeper.example.yaml', 'CHANGELOG.md'];
  const copied = [...readDeploy('Dockerfile').matchAll(/^COPY --from=build (?:--\S+ )?(.+) \S+$/gm)].flatMap(
    ([, sources = '']) => sources.split(' ').map((source) => source.replace('/build/', '')),
  );
  t.deepEqual(
    files.filter((file) => !readers.includes(file) && !copied.includes(file)),
    [],
  );
});
