import type { ExplainedFactor, Explanation } from '../../assessment/explain.ts';
import { joinedPhrases, REASON_PHRASES } from '../../assessment/reason-phrases.ts';
import { FACTORS, REASONS, type ReasonCode } from '../../assessment/reasons.ts';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';

type Action = NonNullable<StoredDecision['action']>;

/** People do not read a longer sentence. */
const MAX_REASONS = 3;

const DONE: Readonly<Record<Action, string>> = {
  forward: 'Let in',
  verify: 'Sent to verification',
  block: 'Refused',
};
const WOULD_HAVE: Readonly<Record<Action, string>> = {
  forward: 'let it in',
  verify: 'sent it to verification',
  block: 'refused it',
};
const ASKS_FOR: Readonly<Record<Action, string>> = {
  forward: 'letting it in',
  verify: 'verification',
  block: 'a refusal',
};

/**
 * What happened to a signup and why, in one sentence.
 *
 * @param explanation Null when the policy of the decision is no longer stored: then the sentence has no reasons.
 */
export function sentenceOf(
  decision: Pick<StoredDecision, 'action' | 'wantedAction' | 'mode' | 'riskLevel' | 'identity'>,
  explanation: Explanation | null,
): string {
  const happened = happenedTo(decision);
  if (!explanation) return `${happened}.`;
  const { factors } = explanation;
  if (factors.every(({ state }) => state === 'not_evaluated')) {
    return `${happened}: nothing could be examined.`;
  }
  const listed = listCodeIn(factors);
  if (listed) return `${happened}: ${REASON_PHRASES[listed]}.`;
  const against = reasonsAgainst(explanation);
  if (against.length === 0) return `${happened}: nothing was found against it.`;
  return isAccepted(decision)
    ? `${happened} despite ${phraseOf(against)}.`
    : `${happened}: ${phraseOf(against)}.`;
}

function isAccepted({ wantedAction, riskLevel }: Parameters<typeof sentenceOf>[0]): boolean {
  return wantedAction === null ? riskLevel === 'low' : wantedAction === 'forward';
}

/** At the API, the caller acts, so the sentence has only the level. */
function happenedTo({
  action,
  wantedAction,
  mode,
  riskLevel,
  identity,
}: Parameters<typeof sentenceOf>[0]): string {
  if (action === null) return `${riskLevel.slice(0, 1).toUpperCase()}${riskLevel.slice(1)} risk`;
  if (wantedAction === null || wantedAction === action) return DONE[action];
  if (mode === 'monitor')
    return `Let in by monitor mode, enforce mode would have ${WOULD_HAVE[wantedAction]}`;
  if (action === 'block' && identity.mailbox === null) return 'Refused, since there is no mailbox to verify';
  return `${DONE[action]}, although the route asks for ${ASKS_FOR[wantedAction]}`;
}

/** A list entry decides alone. A deny entry takes precedence over an allow entry. */
function listCodeIn(factors: readonly ExplainedFactor[]): ReasonCode | null {
  const codes = factors.flatMap(({ state, findings }) =>
    state === 'listed' ? findings.flatMap(({ code }) => (REASONS[code].kind === 'list' ? [code] : [])) : [],
  );
  return codes.find((code) => !code.startsWith('allowlisted_')) ?? codes[0] ?? null;
}

/** The findings that decide alone. If there are none of these, all findings, the one with the most points first. */
function reasonsAgainst({ factors, caps }: Explanation): readonly ReasonCode[] {
  const decisive = caps.find(({ cap }) => cap === 'decisive')?.because ?? [];
  const costs = FACTORS.flatMap((name) => {
    const factor = factors.find(({ factor }) => factor === name);
    return factor?.state === 'evaluated' ? costsOf(factor) : [];
  }).toSorted((a, b) => b.cost - a.cost);
  const codes = [...new Set(costs.map(({ code }) => code))];
  const alone = codes.filter((code) => decisive.includes(code));
  return alone.length > 0 ? alone : codes;
}

/** A factor without findings counts against the signup by its classification, when that is not at low risk. */
function costsOf({ findings, weight, score, risk_level }: ExplainedFactor) {
  const costly = findings.filter(({ points }) => points > 0);
  if (costly.length > 0) return costly.map(({ code, points }) => ({ code, cost: points * weight }));
  const classification = findings.find(({ code }) => REASONS[code].kind === 'classification');
  return classification && risk_level !== 'low'
    ? [{ code: classification.code, cost: (100 - score) * weight }]
    : [];
}

function phraseOf(codes: readonly ReasonCode[]): string {
  const shown = codes.slice(0, MAX_REASONS).map((code) => REASON_PHRASES[code]);
  const more = codes.length - shown.length;
  if (more > 0) shown.push(more === 1 ? 'one more finding' : `${more} more findings`);
  return joinedPhrases(shown);
}
