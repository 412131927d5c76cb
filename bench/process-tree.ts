import { readdirSync, readFileSync } from 'node:fs';

/** The content of `/proc/<pid>/stat` for one process (proc(5)). */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** In ticks: its own, and those of ended children. */
  readonly cpuTicks: number;
}

/** USER_HZ, which is 100 on every architecture that Node supports. */
const TICKS_PER_SECOND = 100;

/** User and system time of a process and all its descendants, in microseconds; a tick is 10,000. */
export function cpuTimeUs(pid: number): number {
  const ticks = treeOf(pid, readProcesses()).reduce((sum, { cpuTicks }) => sum + cpuTicks, 0);
  return (ticks * 1_000_000) / TICKS_PER_SECOND;
}

/** Resident memory of a process and all its descendants, in megabytes (10^6 bytes). */
export function residentMb(pid: number): number {
  return treeOf(pid, readProcesses()).reduce((sum, process) => sum + residentMbOf(process.pid), 0);
}

/** The process and its descendants among the given processes. */
export function treeOf(pid: number, processes: readonly ProcessStat[]): readonly ProcessStat[] {
  const own = processes.find((process) => process.pid === pid);
  if (!own) throw new Error(`The process ${pid} is gone: it ended while it was measured.`);
  const children = processes.filter(({ parent }) => parent === pid);
  return [own, ...children.flatMap((child) => treeOf(child.pid, processes))];
}

/**
 * The name of the program is in brackets and may contain any character, brackets too: the fields follow the last
 * bracket.
 */
export function parseStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticksAt = (position: number) => Number(fields[position]);
  return {
    pid: Number.parseInt(text, 10),
    parent: Number(fields[1]),
    cpuTicks: ticksAt(11) + ticksAt(12) + ticksAt(13) + ticksAt(14),
  };
}

function readProcesses(): readonly ProcessStat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readIfThere(`/proc/${name}/stat`);
      return stat === null ? [] : [parseStat(stat)];
    });
}

function residentMbOf(pid: number): number {
  const status = readIfThere(`/proc/${pid}/status`) ?? '';
  const [, kilobytes] = /^VmRSS:\s*(\d+) kB$/m.exec(status) ?? [];
  return (Number(kilobytes ?? 0) * 1024) / 1_000_000;
}

/** A process may end between listing and reading. */
function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
