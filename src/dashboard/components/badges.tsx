import type { RiskLevel } from '../../assessment/policy.ts';
import { ACTION_WORDS, WOULD_WORDS } from './action-words.ts';

/** A risk level, shown by a word and a shape as well as by a colour. */
export function LevelBadge({ level }: { readonly level: RiskLevel }) {
  return <span class={`badge level-${level}`}>{level}</span>;
}

type Action = 'forward' | 'verify' | 'block';

/** The action of the gate, and the wanted action if it differs. Decisions of the API have no action. */
export function ActionBadge(props: {
  readonly action: Action | null;
  readonly wantedAction: Action | null;
  readonly mode: 'enforce' | 'monitor' | null;
}) {
  const { action, wantedAction, mode } = props;
  if (action === null) return <span class="nothing">scored only</span>;
  const isOther = wantedAction !== action;
  return (
    <span class={`badge action-${action}`}>
      {ACTION_WORDS[action]}
      {mode === 'monitor' && (
        <span class="aside">
          {' '}
          (monitor{isOther && wantedAction !== null && `: would ${WOULD_WORDS[wantedAction]}`})
        </span>
      )}
      {mode === 'enforce' && isOther && wantedAction !== null && (
        <span class="aside"> (wanted: {ACTION_WORDS[wantedAction]})</span>
      )}
    </span>
  );
}
