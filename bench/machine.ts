import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';

/** The machine of the figures, described so that readers can compare. */
export interface Machine {
  readonly node: string;
  readonly cores: number;
  readonly processor: string;
  /** Of the last minute, before the measurement: above 1, other processes are busy and throughput says little. */
  readonly loadBefore: number;
  /** Whether servers and load ran on separate cores. */
  readonly pinned: boolean;
}

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]];

const SERVER_CORE = 0;
const LOAD_CORE = 1;

export function describeMachine(): Machine {
  return {
    node: process.version,
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    loadBefore: loadavg()[0] ?? 0,
    pinned: canPin,
  };
}

/**
 * Only `/proc` shows the CPU time of another process and its children.
 * @throws {Error} on a system without it.
 */
export function requireProc(): void {
  try {
    readFileSync('/proc/self/stat');
  } catch (cause) {
    throw new Error('The benchmark reads CPU time and memory from /proc: run it on Linux.', { cause });
  }
}

/** The command on the core for servers: they share it, and are never under load together. */
export function onServerCore(command: Command): Command {
  return pin(SERVER_CORE, command);
}

/** The command on the core for load generators. */
export function onLoadCore(command: Command): Command {
  return pin(LOAD_CORE, command);
}

/** Does the work with this very process on the core of load generators, where the load is made here. */
export async function withLoadCore<T>(work: () => Promise<T>): Promise<T> {
  moveTo(String(LOAD_CORE));
  try {
    return await work();
  } finally {
    moveTo(`0-${availableParallelism() - 1}`);
  }
}

function moveTo(cores: string): void {
  if (!canPin) return;
  const pid = String(process.pid);
  execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', cores, pid], { stdio: 'ignore' });
}

const canPin = hasTaskset() && availableParallelism() > 1;

function pin(core: number, command: Command): Command {
  return canPin ? ['taskset', '--cpu-list', String(core), ...command] : command;
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
