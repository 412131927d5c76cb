import type { StoredDecision } from '../../storage/decisions/decision-record.ts';

type Action = NonNullable<StoredDecision['action']>;

/** The words of the pages for the actions, whose codes the API, the configuration and addresses have. */
export const ACTION_WORDS: Readonly<Record<Action, string>> = {
  forward: 'let in',
  verify: 'verification',
  block: 'refused',
};

/** After "would". */
export const WOULD_WORDS: Readonly<Record<Action, string>> = {
  forward: 'let in',
  verify: 'verify',
  block: 'refuse',
};
