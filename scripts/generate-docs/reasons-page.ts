import { EVIDENCE_FIELDS, type EvidenceField, FIELDS_OF } from '../../src/assessment/evidence-fields.ts';
import { FACTORS, type Factor, REASONS, type Reason, type ReasonCode } from '../../src/assessment/reasons.ts';
import { defaultOf } from './default-of.ts';
import { table } from './table.ts';

/** `docs/reasons.md`: the catalogue of reason codes, by factor. */
export function reasonsPage(defaults: unknown): string {
  const scoring = defaultOf(defaults, 'scoring');
  const levels = defaultOf(scoring, 'levels');
  const low = Number(defaultOf(levels, 'low'));
  const medium = Number(defaultOf(levels, 'medium'));
  const decisive = new Set([defaultOf(scoring, 'decisive')].flat().map(String));
  const levelOf = (score: number) => (score >= low ? 'low' : score >= medium ? 'medium' : 'high');
  const parts = FACTORS.map((factor) => {
    const highest = Math.max(...reasonsOf(factor).map(([, r]) => (r.kind === 'classification' ? r.base : 0)));
    const rows = reasonsOf(factor).map(([code, reason]) => [
      `\`${code}\``,
      reason.kind.replace('_', ' '),
      pointsOf(reason),
      decisive.has(code) ? 'high, decisive' : levelAlone(reason, highest, levelOf),
      reason.description,
      (FIELDS_OF[code] ?? []).map((field) => `\`${field}\``).join(', '),
    ]);
    return [
      `## ${factor}`,
      '',
      ...table(['code', 'kind', 'points', 'level alone', 'meaning', 'fields'], rows),
      '',
    ].join('\n');
  });
  return `${INTRODUCTION}\n${[...parts, fieldsPart()].join('\n')}`;
}

const INTRODUCTION = `<!-- Generated from src/assessment/reasons.ts by scripts/generate-docs.ts -->
# Reason codes

Reason codes are public API: a code is never renamed and never gets another meaning. Each factor has one **classification** and
any number of **findings**. The score of a factor starts at the base of its classification, and each finding takes points off.
The reason of the factor is the finding with the most points. Without findings it is the classification. A match
in the operator's **lists** sets the factor and the trust score to 0 or 100.

*Level alone* is the risk level of the factor with the default policy when there are no other findings. For a finding, the score
starts at the highest base of the factor. A *decisive* finding keeps the trust score at high risk. \`scoring.points\`,
\`scoring.levels\` and \`scoring.decisive\` change these values ([configuration](configuration.md)). \`ip_burst\` is also decisive at
three times its limit or more. The other velocity findings lead at most to verification, because other people can cause them
([velocity](velocity.md)).

\`suspicious_domain\` weighs its evidence: with the default policy it takes from 30 points, for a doubtful domain, to 60, for a
likely throwaway domain, and the score of its factor is then at high risk. It leads at most to verification, because it is a
guess. A policy that sets its points scales this range. It is no finding for a domain that many verified people use at this
installation ([detection](detection.md)).

*Fields* are the facts for programs in the stored evidence, beside the sentence for people: see
[below](#fields-of-the-evidence).
`;

/** What each field means. */
function fieldsPart(): string {
  const rows = Object.entries<EvidenceField>(EVIDENCE_FIELDS).map(([name, field]) => [
    ...[`\`${name}\``, field.type === 'array' ? 'array of strings' : field.type],
    field.description + valuesOf(field),
  ]);
  return [
    '## Fields of the evidence',
    '',
    '`GET /decisions/{request_id}`, `gatekeeper score --json` and the NDJSON export of decisions have these facts in `fields`.',
    'Unknown fields are missing. Older decisions have few fields or none.',
    '',
    ...table(['field', 'type', 'meaning'], rows),
    '',
  ].join('\n');
}

function valuesOf({ values }: EvidenceField): string {
  return values ? ` One of ${values.map((value) => `\`${value}\``).join(', ')}.` : '';
}

function reasonsOf(factor: Factor): readonly (readonly [ReasonCode, Reason])[] {
  return (Object.entries(REASONS) as [ReasonCode, Reason][]).filter(([, reason]) => reason.factor === factor);
}

function pointsOf(reason: Reason): string {
  if (reason.kind === 'classification') return `base ${reason.base}`;
  return reason.kind === 'finding' ? `−${reason.points}` : '';
}

function levelAlone(reason: Reason, highestBase: number, levelOf: (score: number) => string): string {
  if (reason.kind === 'classification') return levelOf(reason.base);
  return reason.kind === 'finding' ? levelOf(highestBase - reason.points) : '';
}
