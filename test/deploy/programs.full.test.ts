import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { stringify } from 'yaml';
import { isInstalled, runProgram } from '../helpers/programs.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { boardQueries, DEPLOY, deployFiles, PROJECT, readDeployYaml } from './read-deploy.ts';

const where = (program: string) => (isInstalled(program) ? test : test.skip);
const UNIT = join(DEPLOY, 'systemd/gatekeeper.service');
/** 0 is the best, 10 the worst. */
const MOST_EXPOSURE = 1.5;

where('promtool')('promtool accepts the alert rules and the configuration of Prometheus', async (t) => {
  const rules = await runProgram('promtool', ['check', 'rules', join(DEPLOY, 'prometheus/rules.yaml')]);
  t.is(rules.code, 0, rules.output);
  const args = ['check', 'config', '--syntax-only', join(DEPLOY, 'prometheus/prometheus.yaml')];
  const config = await runProgram('promtool', args);
  t.is(config.code, 0, config.output);
});

where('promtool')('the rules alert when they should, and stay silent otherwise', async (t) => {
  const folder = temporaryFolder(t);
  copyFileSync(join(DEPLOY, 'prometheus/rules.yaml'), join(folder, 'rules.yaml'));
  copyFileSync(fileURLToPath(new URL('rules-test.yaml', import.meta.url)), join(folder, 'test.yaml'));
  const { code, output } = await runProgram('promtool', ['test', 'rules', join(folder, 'test.yaml')]);
  t.is(code, 0, output);
});

where('promtool')('promtool can read every query of the board', async (t) => {
  const rules = boardQueries().map((expr, i) => ({ record: `board:panel:query_${i}`, expr }));
  const file = join(temporaryFolder(t), 'board.yaml');
  writeFileSync(file, stringify({ groups: [{ name: 'board', rules }] }));
  const { code, output } = await runProgram('promtool', ['check', 'rules', file]);
  t.is(code, 0, output);
  t.true(output.includes(`${rules.length} rules found`), output);
});

where('systemd-analyze')('systemd accepts the unit, where the program is installed', async (t) => {
  const folder = temporaryFolder(t);
  // The unit names paths of an installation; the check looks whether its programs are there.
  const unit = readFileSync(UNIT, 'utf8').replaceAll('/usr/bin/node', process.execPath);
  const file = join(folder, 'gatekeeper.service');
  writeFileSync(file, unit);
  const { code, output } = await runProgram('systemd-analyze', ['verify', '--man=no', file]);
  t.is(code, 0, output);
  t.notRegex(output, /gatekeeper\.service.*(Unknown|Failed|ignoring)/i);
});

where('systemd-analyze')('systemd finds the unit hardly exposed', async (t) => {
  const { output } = await runProgram('systemd-analyze', ['security', '--offline=true', '--no-pager', UNIT]);
  const exposure = Number(/Overall exposure level for gatekeeper\.service: ([\d.]+)/.exec(output)?.[1]);
  t.log(`exposure ${exposure}`);
  t.true(exposure <= MOST_EXPOSURE, output);
});

where('haproxy')('HAProxy accepts the configuration of the balancer', async (t) => {
  const { code, output } = await runProgram('haproxy', ['-c', '-f', join(DEPLOY, 'compose/haproxy.cfg')]);
  t.is(code, 0, output);
  t.notRegex(output, /ALERT/);
});

where('sh')(
  'the script makes every secret once, readable in the container only through its folder',
  async (t) => {
    const folder = temporaryFolder(t);
    const script = join(folder, 'make-secrets.sh');
    copyFileSync(join(DEPLOY, 'compose/make-secrets.sh'), script);
    t.is((await runProgram('sh', [script])).code, 0);
    const { secrets } = readDeployYaml<{ secrets: Record<string, { file: string }> }>('compose/compose.yaml');
    const read = () => Object.values(secrets).map(({ file }) => readFileSync(join(folder, file), 'utf8'));
    const made = read();
    for (const secret of made) t.regex(secret, /^[\da-f]{64}$/);
    t.is(new Set(made).size, made.length);
    t.is((await runProgram('sh', [script])).code, 0);
    t.deepEqual(read(), made);
  },
);

test('the manifests have no key that the types of Kubernetes do not know', async (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  const groups: Readonly<Record<string, string>> = { v1: 'kubernetes-models/v1' };
  const lines = deployFiles('kubernetes', '.yaml')
    .filter((path) => !path.endsWith('/kustomization.yaml'))
    .map((path, i) => {
      const manifest = readDeployYaml<{ apiVersion: string; kind: string }>(path);
      const { apiVersion, kind } = manifest;
      const from = groups[apiVersion] ?? `kubernetes-models/${apiVersion}`;
      return `import type { I${kind} as K${i} } from '${from}/${kind}';\nexport const m${i}: K${i} = ${JSON.stringify(manifest)};\n`;
    });
  mkdirSync(join(folder, 'src'));
  const file = join(folder, 'src/manifests.ts');
  const settings = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--types',
    '',
    '--ignoreConfig',
  ];
  const compile = async (text: string) => {
    writeFileSync(file, text);
    return await runProgram(join(PROJECT, 'node_modules/.bin/tsc'), [...settings, file], { cwd: folder });
  };
  const { code, output } = await compile(lines.join(''));
  t.is(code, 0, output);
  const mistaken = await compile(lines.join('').replace('"livenessProbe"', '"livenesProbe"'));
  t.regex(mistaken.output, /livenesProbe/);
});
