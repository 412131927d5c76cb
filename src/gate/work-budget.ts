import { ProblemError } from '../http/problem.ts';

/**
 * What reading one request before it is judged may cost: its target, overrides, names, documents and conditions draw on
 * one budget. It is counted and not timed, so that the same request has the same answer on every machine.
 *
 * The unit is one character looked at once, about a nanosecond. A reader spends before it works.
 */
export interface WorkBudget {
  /** @throws {ProblemError} `invalid_request` when less is left. From then on every call throws. */
  spend(characters: number): void;
  /**
   * Adds what a body of this size may cost, once it has been read.
   *
   * @param most Never beyond this. What a long body saves must not be spent in one turn of the event loop.
   */
  grow(characters: number, most?: number): void;
}

export function createWorkBudget(characters: number): WorkBudget {
  let left = characters;
  return {
    spend(cost) {
      left -= cost;
      if (left < 0) throw new ProblemError('invalid_request', 'The request takes too much work to read.');
    },
    grow(more, most = Number.POSITIVE_INFINITY) {
      if (left >= 0) left = Math.max(left, Math.min(left + more, most));
    },
  };
}
