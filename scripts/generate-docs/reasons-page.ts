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

Public API: a code is never renamed and never used for another meaning. Each factor has one **classification**, whose
base is the score it starts from, and any number of **findings**, which take points off. The factor's reason is the
finding that took most, else the classification. The operator's **lists** set a factor to 0 or 100.

*Level alone* is the risk level of the factor with the default policy when nothing else is noticed, findings counted
from the factor's highest base. A finding that is *decisive* holds the whole score at high risk. \`scoring.points\`,
\`scoring.levels\` and \`scoring.decisive\` change all this ([configuration](configuration.md)).
\`ip_burst\` at three times its limit or more is decisive too. The other velocity findings ask for verification at most,
since strangers can bring them about ([velocity](velocity.md)).

*Fields* are the facts that stored evidence holds for programs besides its sentence for people: see
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
    '`GET /decisions/{request_id}`, `gatekeeper score --json` and the NDJSON export of decisions show them under `fields`.',
    'A field that is not known is left out; decisions stored before fields were kept have few or none.',
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
