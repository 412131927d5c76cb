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
      ...{ dashboardUrl: 'http://127.0.0.1:8081', isDashboardOpen: true },
      gate: { url: 'http://127.0.0.1:8000', assertionSecretFile },
      ...{ setUpLink: null, earlierLinkValidUntil: null, firstKey: null, hasKeys: true },
    },
    config: {
      proxy: { upstream: 'http://127.0.0.1:3000', routes: [] },
      dashboard: { listen: '127.0.0.1:8081' },
    },
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

test('while another program has the address of the dashboard, the link is not to be opened there', (t) => {
  let text = '';
  greet({
    gatekeeper: {
      ...{ apiUrl: 'http://127.0.0.1:8080', gate: null, firstKey: null, hasKeys: true },
      ...{ dashboardUrl: 'http://127.0.0.1:8081', isDashboardOpen: false, earlierLinkValidUntil: null },
      setUpLink: 'http://127.0.0.1:8081/links/a',
    },
    config: { proxy: null, dashboard: { listen: '127.0.0.1:1' } },
    file: null,
    command: 'gatekeeper',
    write: (part) => {
      text += part;
    },
  });
  t.regex(
    text,
    /^The dashboard is not open: another program uses 127\.0\.0\.1:1\. Stop it, or change dashboard\.listen/m,
  );
  t.regex(
    text,
    /Open this link to become the operator, but only after the log says that the dashboard listens\./,
  );
  t.notRegex(text, /The dashboard is at/);
});
