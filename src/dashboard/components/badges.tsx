import type { RiskLevel } from '../../assessment/policy.ts';

/** A risk level, told by its word and its shape and not by colour alone. */
export function LevelBadge({ level }: { readonly level: RiskLevel }) {
  return <span class={`badge level-${level}`}>{level}</span>;
}

/** What the gate did; at the API there is none. */
export function ActionBadge(props: {
  readonly action: 'forward' | 'verify' | 'block' | null;
  readonly mode: 'enforce' | 'monitor' | null;
}) {
  if (props.action === null) return <span class="nothing">none</span>;
  return (
    <span class={`badge action-${props.action}`}>
      {props.action}
      {props.mode === 'monitor' && <span class="aside"> (monitor)</span>}
    </span>
  );
}
