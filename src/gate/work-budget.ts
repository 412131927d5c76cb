import { ProblemError } from '../http/problem.ts';

/**
 * The work allowed for reading one request before it is judged: its target, overrides, names, documents and conditions
 * share one budget. Work is counted, not timed, so the same request gets the same answer on every machine.
 *
 * The unit is one look at one character, about a nanosecond. A reader must spend from the budget before it works.
 */
export interface WorkBudget {
  /** @throws {ProblemError} `invalid_request` when the budget is too small. After that, every later call throws too. */
  spend(characters: number): void;
  /**
   * Adds the work for a body of this size, after the body was read.
   * @param most The upper limit. A long body must not save up work and spend all of it in one tick of the event loop.
   */
  grow(characters: number, most?: number): void;
}

export function createWorkBudget(characters: number): WorkBudget {
  let left = characters;
  return {
    spend(cost) {
      left -= cost;
      if (left < 0) throw new ProblemError('invalid_request', 'The request is too complex to read.');
    },
    grow(more, most = Number.POSITIVE_INFINITY) {
      if (left >= 0) left = Math.max(left, Math.min(left + more, most));
    },
  };
}
