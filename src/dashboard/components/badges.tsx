import type { RiskLevel } from '../../assessment/policy.ts';

/** A risk level, told by its word and its shape and not by colour alone. */
export function LevelBadge({ level }: { readonly level: RiskLevel }) {
  return <span class={`badge level-${level}`}>{level}</span>;
}

type Action = 'forward' | 'verify' | 'block';

/** What the gate did, and what the route asked for where that differs; at the API there is none. */
export function ActionBadge(props: {
  readonly action: Action | null;
  readonly wantedAction: Action | null;
  readonly mode: 'enforce' | 'monitor' | null;
}) {
  const { action, wantedAction, mode } = props;
  if (action === null) return <span class="nothing">none</span>;
  const isOther = wantedAction !== action;
  return (
    <span class={`badge action-${action}`}>
      {action}
      {mode === 'monitor' && <span class="aside"> (monitor{isOther && `: would ${wantedAction}`})</span>}
      {mode === 'enforce' && isOther && <span class="aside"> (wanted: {wantedAction})</span>}
    </span>
  );
}
