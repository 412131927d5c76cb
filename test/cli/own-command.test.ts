import test from 'ava';
import { ownCommand } from '../../src/cli/own-command.ts';

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
