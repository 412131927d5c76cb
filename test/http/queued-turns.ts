import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurns } from '../../src/http/event-loop.ts';

export const UNITS = 4;

/** Turns by a clock that only tests move. */
export function setUp() {
  let now = 1_000;
  const turns = createTurns(() => now);
  /** Queues so many acts of a sender, and returns the number of those that ran. */
  const queue = (sender: string, count: number, order: string[] = [], takesMs = 0): (() => number) => {
    let ran = 0;
    const act = () => {
      ran++;
      order.push(sender);
      now += takesMs;
    };
    for (let i = 0; i < count; i++) turns.runInTurn(act, () => sender, UNITS);
    return () => ran;
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { ...turns, turns, queue, pass };
}

export async function untilAllRan(...counts: readonly [ran: () => number, of: number][]): Promise<void> {
  while (counts.some(([ran, of]) => ran() < of)) await nextTurn();
}
