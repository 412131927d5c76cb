import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { greet } from '../../src/cli/greet.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('the command that reads the secret of the assertion works in every folder', (t) => {
  const folder = join(temporaryFolder(t), "it's an Übung $HOME");
  mkdirSync(folder);
  const assertionSecretFile = join(folder, 'assertion.secret');
  writeFileSync(assertionSecretFile, 'the secret');
  let text = '';
  greet({
    gatekeeper: {
      apiUrl: 'http://127.0.0.1:8080',
      dashboardUrl: 'http://127.0.0.1:8081',
      gate: { url: 'http://127.0.0.1:8000', assertionSecretFile },
      ...{ setUpLink: null, earlierLinkValidUntil: null, firstKey: null, hasKeys: true },
    },
    config: { proxy: { upstream: 'http://127.0.0.1:3000', routes: [] } },
    file: null,
    command: 'gatekeeper',
    write: (part) => {
      text += part;
    },
  });
  const [, command = ''] = /^ {2}(GATEKEEPER_ASSERTION_SECRET=.*)$/m.exec(text) ?? [];
  const script = `${command}; printf %s "$GATEKEEPER_ASSERTION_SECRET"`;
  t.is(execFileSync('sh', ['-c', script], { encoding: 'utf8' }), 'the secret');
});
