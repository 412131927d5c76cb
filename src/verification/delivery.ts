import type { Correct } from './correct.ts';
import type { Replay } from './replay.ts';

/** What the gate does with held signups. */
export interface Delivery {
  readonly replay: Replay;
  readonly correct: Correct;
}
