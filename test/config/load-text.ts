import { ConfigError } from '../../src/config/config-error.ts';
import { loadConfig } from '../../src/config/load.ts';
import { knownNames } from './known-names.ts';

export function load(text: string, env: Record<string, string> = {}) {
  return loadConfig({ file: 'etc/gatekeeper.yaml', text, env, knownNames, folder: '/srv/app' });
}

export function issuesOf(text: string, env: Record<string, string> = {}): readonly string[] {
  try {
    load(text, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.issues.map((m) => `${m.line}:${m.column} ${m.path}`);
    throw error;
  }
}
