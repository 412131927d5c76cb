import type { Correct } from './correct.ts';
import type { Replay } from './replay.ts';

/** The functions of the gate for held signups. */
export interface Delivery {
  readonly replay: Replay;
  readonly correct: Correct;
}
