import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ownCommand } from '../../src/cli/own-command.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('the command for a second run works where the first one was started', (t) => {
  const cases = [
    [{ npm_lifecycle_event: 'start' }, '/app/dist/cli/main.js', 'npx gatekeeper'],
    // The demo runs the TypeScript sources, which Node 20 does not.
    [{ npm_lifecycle_event: 'demo' }, '/app/src/cli/main.ts', 'npx gatekeeper'],
    [{ npm_command: 'exec' }, '/app/node_modules/.bin/gatekeeper', 'node /app/node_modules/.bin/gatekeeper'],
    [{}, '/usr/local/bin/gatekeeper', 'gatekeeper'],
    [{}, '/my app/dist/cli/main.js', "node '/my app/dist/cli/main.js'"],
  ] as const;
  for (const [env, script, command] of cases) t.is(ownCommand(env, script), command);
});

test('npx runs what the project has under its name, and what is only in the cache of npm by its file', (t) => {
  const folder = temporaryFolder(t);
  const [project, cache] = [join(folder, 'project'), join(folder, 'cache')];
  for (const place of [project, cache]) {
    mkdirSync(place);
    writeFileSync(join(place, 'main.js'), '');
  }
  const [linked, cached] = [join(cache, 'gatekeeper'), join(folder, 'gatekeeper')];
  symlinkSync(join(project, 'main.js'), linked);
  symlinkSync(join(cache, 'main.js'), cached);
  const env = { npm_command: 'exec', npm_lifecycle_event: 'npx', npm_config_local_prefix: project };
  t.is(ownCommand(env, linked), 'npx gatekeeper');
  t.is(ownCommand(env, cached), `node ${cached}`);
});
