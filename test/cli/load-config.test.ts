import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { findConfigFile } from '../../src/cli/load-config.ts';

test('only gatekeeper.yaml is the default file, even as a broken link', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'find-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  t.is(findConfigFile(folder), null);
  writeFileSync(join(folder, 'gatekeeper.yml'), '');
  t.is(findConfigFile(folder), null);
  symlinkSync(join(folder, 'nowhere'), join(folder, 'gatekeeper.yaml'));
  t.is(findConfigFile(folder), 'gatekeeper.yaml');
});
