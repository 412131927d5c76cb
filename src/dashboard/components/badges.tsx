import type { RiskLevel } from '../../assessment/policy.ts';

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
  if (action === null) return <span class="nothing">score only</span>;
  const isOther = wantedAction !== action;
  return (
    <span class={`badge action-${action}`}>
      {action}
      {mode === 'monitor' && <span class="aside"> (monitor{isOther && `: would ${wantedAction}`})</span>}
      {mode === 'enforce' && isOther && <span class="aside"> (wanted: {wantedAction})</span>}
    </span>
  );
}
