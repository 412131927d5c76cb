import type { PolicyEffect, Share } from './policy-effect.ts';

/** A number in a sentence. A script finds the number by its name and replaces it without changing the words. */
export interface FigureInText {
  /** The name, such as `fraud-affected`. */
  readonly figure: string;
  readonly value: string;
}

/** What to do when outcomes are missing in a file. */
export const FILE_ADVICE = 'Add a column label to the file, with fraud or legitimate where you know it.';

export type Sentence = readonly (string | FigureInText)[];

/** The verdict in words. Each text has whole sentences; null when nothing is known for it. */
export interface EffectWords {
  /** `Stops 14 of 15 known frauds; would hurt 2 of 4,100 legitimate people.` */
  readonly headline: Sentence;
  /** Whether they are refused, or sent to verification. */
  readonly detail: Sentence | null;
  /** The uncertainty of these shares. */
  readonly range: Sentence | null;
  /** The outcomes that are missing. */
  readonly missing: string | null;
}

type Outcome = keyof PolicyEffect;

/** @param before The same signups under the policy before the change; null for one policy alone. */
export function wordsOf(effect: PolicyEffect, before: PolicyEffect | null): EffectWords {
  const known = (['fraud', 'legitimate'] as const).filter((outcome) => effect[outcome].known > 0);
  const missing = missingOf(effect);
  if (known.length === 0) {
    return { headline: ['No verdict: no outcome is known.'], detail: null, range: null, missing };
  }
  return {
    headline: sentence(known.map((outcome) => headlinePart(outcome, effect[outcome], before?.[outcome]))),
    detail: known.flatMap((outcome, i) => [i > 0 ? ' ' : '', ...how(outcome, effect[outcome])]),
    range: [
      'Expect ',
      ...known.flatMap((outcome, i) => [i > 0 ? ' and ' : '', ...rangeOf(outcome, effect[outcome])]),
      ' (95 % interval). Labels are not a random sample.',
    ],
    missing,
  };
}

export function plainText(text: Sentence): string {
  return text.map((part) => (typeof part === 'string' ? part : part.value)).join('');
}

/** `stops 12 → 14 of 15 known frauds`: before and after the change. */
function headlinePart(outcome: Outcome, { affected, known }: Share, before: Share | undefined): Sentence {
  const names = {
    fraud: ['stops ', known === 1 ? 'known fraud' : 'known frauds'],
    legitimate: ['would hurt ', known === 1 ? 'legitimate person' : 'legitimate people'],
  } as const;
  const [verb, noun] = names[outcome];
  return [
    `${verb}${before ? `${grouped(before.affected)} → ` : ''}`,
    { figure: `${outcome}-affected`, value: grouped(affected) },
    ` of ${grouped(known)} ${noun}`,
  ];
}

function sentence(parts: readonly Sentence[]): Sentence {
  const [first = '', ...rest] = parts.flatMap((part, i) => (i > 0 ? ['; ', ...part] : part));
  const start = typeof first === 'string' ? first.charAt(0).toUpperCase() + first.slice(1) : first;
  return [start, ...rest, '.'];
}

function how(outcome: Outcome, { refused, verified }: Share): Sentence {
  return [
    outcome === 'fraud' ? 'Frauds: ' : 'Legitimate people: ',
    { figure: `${outcome}-refused`, value: grouped(refused) },
    ' refused, ',
    { figure: `${outcome}-verified`, value: grouped(verified) },
    ' sent to verification.',
  ];
}

function rangeOf(outcome: Outcome, { interval: { low, high } }: Share): Sentence {
  return [
    { figure: `${outcome}-range`, value: `${percent(low)} to ${percent(high)} %` },
    outcome === 'fraud' ? ' of frauds stopped' : ' of legitimate people hurt',
  ];
}

/** Shows decimals when a whole percent would hide the bound. */
function percent(share: number): string {
  const value = 100 * share;
  const decimals = value < 1 ? 2 : value < 10 || value > 99 ? 1 : 0;
  return String(Number(value.toFixed(decimals)));
}

function missingOf({ fraud, legitimate }: PolicyEffect): string | null {
  if (fraud.known === 0 && legitimate.known === 0) {
    return 'No signup is known to be fraud or legitimate. So the simulator cannot tell how many frauds this policy stops, and how many people it hurts.';
  }
  if (fraud.known === 0) {
    return 'No signup is known to be fraud. So the simulator cannot tell how many frauds this policy stops.';
  }
  return legitimate.known === 0
    ? 'No signup is known to be legitimate. So the simulator cannot tell how many people this policy hurts.'
    : null;
}

/** Writes a number in groups of three digits, the same in every locale. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
