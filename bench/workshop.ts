import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChildServer, openChildServer } from './child-server.ts';
import { type Command, onLoadCore, onServerCore } from './machine.ts';

/** A folder with a configuration and a key, where servers are started. */
export interface Workshop {
  readonly folder: string;
  /** Its account has a monthly quota that no run exhausts, so that the quota is counted. */
  readonly key: string;
  /** `gatekeeper serve` from the build. */
  openGatekeeper(options?: OpenOptions): Promise<ChildServer>;
  /** A file of `bench/yardsticks/`. */
  openYardstick(file: string, ...args: readonly string[]): Promise<ChildServer>;
  /** Removes the folder. */
  close(): void;
}

export interface OpenOptions {
  /** Not pinned: like on a real machine, with a core for its threads. */
  readonly onAnyCore?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const YARDSTICKS = fileURLToPath(new URL('yardsticks/', import.meta.url));

/** The app behind proxies, on the core of the load: its cost does not count. */
export function openUpstream(): Promise<ChildServer> {
  const command: Command = [process.execPath, join(YARDSTICKS, 'upstream.js')];
  return openChildServer({ command: onLoadCore(command), folder: tmpdir() });
}

const PLAN = 'bench';

/** DNS is off, because the time of resolvers is not measured. The plan has a limit, so that requests are counted. */
const CONFIG = `
api:
  listen: 127.0.0.1:0
  plans: {${PLAN}: {requests_per_month: 1000000000}}
scoring: {dns: {enabled: false}}
log: {level: info}
`;
const ONE_NODE = 'storage: {records: "sqlite:./data/gatekeeper.db"}\n';

/**
 * @param more YAML for the configuration of Gatekeeper.
 * @param storage Its storage; left out: as on one machine.
 */
export function openWorkshop(more = '', storage = ONE_NODE): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-bench-'));
  const configFile = join(folder, 'gatekeeper.yaml');
  writeFileSync(configFile, CONFIG + storage + more);
  const gatekeeper: Command = [process.execPath, MAIN, '--config', configFile];
  const [program, ...args] = gatekeeper;
  // Gatekeeper has the key in its database, like most keys; the yardsticks have it in a map.
  const made = execFileSync(program, [...args, 'keys', 'create', '--name', 'bench', '--plan', PLAN], {
    stdio: 'pipe',
  });
  const key = made.toString().trim();
  const yardstickConfig = join(folder, 'yardstick.yaml');
  const sha256 = createHash('sha256').update(key).digest('hex');
  writeFileSync(
    yardstickConfig,
    `${(CONFIG + ONE_NODE).replace(/^api:.*\n.*\n/m, (api) => `${api}  keys: [{name: bench, sha256: ${sha256}}]\n`)}`,
  );
  return {
    folder,
    key,
    openGatekeeper({ onAnyCore = false, env = {} } = {}) {
      const command: Command = [...gatekeeper, 'serve'];
      return openChildServer({ command: onAnyCore ? command : onServerCore(command), folder, env });
    },
    openYardstick(file, ...more) {
      const command: Command = [process.execPath, join(YARDSTICKS, file), yardstickConfig, ...more];
      return openChildServer({ command: onServerCore(command), folder });
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
