import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { Logger } from '../telemetry/logger.ts';

/** Files for the records, data sets, threads, DNS, mail and large forms: 40 after the start. Never more than half of all. */
const OTHER_FILES = 256;
/** A connection of a client and one to the application, and as much again for the API and the dashboard. */
const FILES_PER_CONNECTION = 3;
/** A site with a few visitors at once needs more: a browser opens six. */
const FEW_CONNECTIONS = 200;

/**
 * Lowers the limits of connections to what the system allows. Without a free file, the system would take no new connection
 * and the program could not open its own files, whatever its limits say.
 * @param openFiles The limit of open files of this process; null when it is unknown.
 */
export function withinOpenFiles(config: Config, log: Logger, openFiles = readOpenFileLimit()): Config {
  const { server, proxy } = config;
  if (openFiles === null) return config;
  const otherFiles = Math.min(OTHER_FILES, openFiles / 2);
  const most = Math.max(1, Math.floor((openFiles - otherFiles) / FILES_PER_CONNECTION));
  if (server.max_connections <= most) return config;
  log[most < FEW_CONNECTIONS ? 'warn' : 'info'](
    { open_files: openFiles, max_connections: most, configured: server.max_connections },
    'the system allows too few open files for server.max_connections, so the limit is lower',
  );
  return {
    ...config,
    server: { ...server, max_connections: most },
    proxy: proxy && {
      ...proxy,
      max_upstream_connections: Math.min(proxy.max_upstream_connections, most),
    },
  };
}

/** From Linux, which Node asks for the highest limit at its start; null on other systems. */
function readOpenFileLimit(): number | null {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}
