import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { ConfigError } from '../../src/config/config-error.ts';
import { loadConfig } from '../../src/config/load.ts';
import { watchConfig } from '../../src/config/watch.ts';
import { knownNames } from './known-names.ts';

/** A file whose polls the test triggers: `settle` is two polls, like two seconds. */
export function watch(
  t: ExecutionContext,
  text: string,
  onChange?: (workers: number) => void,
  pause = () => Promise.resolve(),
) {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'));
  const file = join(folder, 'gatekeeper.yaml');
  writeFileSync(file, text);
  const seen: (number | string)[] = [];
  const watching = watchConfig({
    file,
    text,
    load: (newText) => loadConfig({ file, text: newText, env: {}, knownNames }).config.workers,
    onChange: (workers) => {
      onChange?.(workers);
      seen.push(workers);
    },
    onIssue: (error) => {
      seen.push(error instanceof ConfigError ? (error.issues[0]?.message ?? '') : String(error));
    },
    schedule: () => () => {},
    pause,
  });
  t.teardown(() => {
    void watching.close();
    rmSync(folder, { recursive: true });
  });
  const settle = async () => {
    await watching.poll();
    await watching.poll();
  };
  return { folder, file, seen, watching, settle };
}
