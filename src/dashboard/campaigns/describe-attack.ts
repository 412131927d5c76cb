import { nameOfPattern } from '../../assessment/pattern.ts';
import { REASON_PHRASES } from '../../assessment/reason-phrases.ts';
import { isReasonCode } from '../../assessment/reasons.ts';
import { traitOfStyle } from '../../assessment/spelling-style.ts';
import { attackPath } from '../../exports/attack-path.ts';
import type { AttackEvent } from '../../storage/attacks/attack-event.ts';

/** An attack in words ("380 signups of the pattern promo.user####"), with the path of its page. */
export interface DescribedAttack {
  readonly title: string;
  /** A path of the dashboard: the page of the campaign, or the decisions with the finding. */
  readonly href: string;
}

export function describeAttack(event: AttackEvent): DescribedAttack {
  const signups = event.attempts === 1 ? '1 signup' : `${event.attempts.toLocaleString('en')} signups`;
  return {
    title: `${signups} ${traitOf(event)}`,
    href: attackPath(event),
  };
}

function traitOf({ kind, key, name }: AttackEvent): string {
  if (kind === 'template') return name === null ? 'of one pattern' : `of the pattern ${nameOfPattern(name)}`;
  if (kind === 'domain') return `at the domain ${key}`;
  if (kind === 'network') return `from the network ${key}`;
  if (kind === 'cohort') return `with ${traitOfStyle(key)}`;
  return `with ${isReasonCode(key) ? REASON_PHRASES[key] : key}`;
}
