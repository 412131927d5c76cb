import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

const LISTEN = '0A';
/** The limit of processes that are searched. A busy machine runs fewer. */
const MAX_PROCESSES = 20_000;
const MAX_FILES = 10_000;

/**
 * The program that listens on a TCP port of this machine, such as `node server.js (process 4711)`. Null when it is not
 * known: only Linux has this information, and only for processes of the same user.
 */
export function findPortOwner(port: number): string | null {
  const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listeningSockets(table, port)));
  if (sockets.size === 0) return null;
  const processes = list('/proc').filter((name) => /^\d+$/.test(name));
  for (const id of processes.slice(0, MAX_PROCESSES)) {
    const files = list(`/proc/${id}/fd`).slice(0, MAX_FILES);
    if (files.some((file) => sockets.has(targetOf(`/proc/${id}/fd/${file}`))))
      return `${nameOf(id)} (process ${id})`;
  }
  return null;
}

/** Lines of `/proc/net/tcp`: number, local address, remote address, state, …, inode (proc(5)). */
function listeningSockets(table: string, port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return textOf(`/proc/net/${table}`)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === LISTEN && local?.endsWith(`:${hex}`))
    .map((fields) => `socket:[${fields[9]}]`);
}

/** The program and its script. Other arguments are left out, because they may contain secrets. */
function nameOf(id: string): string {
  const [program = '', script] = textOf(`/proc/${id}/cmdline`).split('\0');
  const isScript = script !== undefined && /^[\w./@-]+\.\w+$/.test(script) && !script.startsWith('-');
  const name = basename(program) || 'a program';
  return isScript ? `${name} ${basename(script)}` : name;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}
