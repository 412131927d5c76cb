import { type ListEntry, parseListEntry } from '../../assessment/list-entry.ts';
import type { Policy } from '../../assessment/policy.ts';
import { REASONS } from '../../assessment/reasons.ts';
import type { ScoringConfig } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import { formatYaml } from '../../config/format-yaml.ts';
import { loadConfig } from '../../config/load.ts';
import { policyOf } from '../../configured-judge.ts';
import { whyNotStored } from '../../simulation/stored-lists.ts';
import { linesOf, numbersOf, type SimulatorForm } from './simulator-form.ts';

/** A policy that somebody wants to try. */
export interface Proposal {
  readonly policy: Policy;
  readonly scoring: ScoringConfig;
  /** Entries beyond those that hold already. */
  readonly lists: Readonly<Record<'allow' | 'deny', readonly ListEntry[]>>;
  readonly typedLists: Readonly<Record<'allow' | 'deny', readonly string[]>>;
  readonly days: number;
}

/** What is wrong with a form: by the name of the field, a sentence. */
export type FormMistakes = ReadonlyMap<string, string>;

export const MAX_DAYS = 30;
/** A field takes this many lines and characters: reading them is work for the loop that signups are judged in. */
const MAX_LINES = 200;
const MAX_CHARACTERS = 50_000;
const MISTAKES_A_FIELD = 5;

/** Reads the form by the rules of the configuration file: what can be simulated here can be pasted there. */
export function readProposal(form: SimulatorForm): Proposal | FormMistakes {
  const mistakes = new Map<string, string[]>();
  const add = (field: string, message: string) => {
    mistakes.set(field, [...(mistakes.get(field) ?? []), message]);
  };
  for (const [field, text] of Object.entries(form)) {
    if (text.length > MAX_CHARACTERS || linesOf(text).length > MAX_LINES) {
      add(field, `At most ${MAX_LINES} lines can be tried at once.`);
    }
  }
  if (mistakes.size > 0) return toSentences(mistakes);
  const typedLists = { allow: linesOf(form.allow), deny: linesOf(form.deny) };
  const scoring = checkedScoring(form, typedLists, add);
  const lists = {
    allow: entriesOf('allow', typedLists.allow, add),
    deny: entriesOf('deny', typedLists.deny, add),
  };
  const days = /^\d{1,2}$/.test(form.days ?? '') ? Number(form.days) : 0;
  if (days < 1 || days > MAX_DAYS) add('days', `Give a number of days from 1 to ${MAX_DAYS}.`);
  if (!scoring || mistakes.size > 0) return toSentences(mistakes);
  return { policy: policyOf(scoring), scoring, lists, typedLists, days };
}

function toSentences(mistakes: ReadonlyMap<string, readonly string[]>): FormMistakes {
  return new Map([...mistakes].map(([field, all]) => [field, all.slice(0, MISTAKES_A_FIELD).join(' ')]));
}

export function isMistaken(read: Proposal | FormMistakes): read is FormMistakes {
  return read instanceof Map;
}

type Add = (field: string, message: string) => void;

/** Null where the configuration would be refused. */
function checkedScoring(form: SimulatorForm, lists: Proposal['typedLists'], add: Add): ScoringConfig | null {
  const points = readPoints(linesOf(form.points), add);
  const scoring = { ...numbersOf(form), points, decisive: linesOf(form.decisive) };
  try {
    const { config } = loadConfig({
      file: null,
      text: formatYaml({ scoring, lists }),
      env: {},
      // A form names no files: `${file:…}` is a mistake here.
      readFile: refuseFiles,
      knownNames: {
        reasons: REASONS,
        isListEntry: (text) => parseListEntry(text) !== null,
        findOverlaps: () => [],
      },
    });
    return config.scoring;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const { path, message, hint } of error.issues) {
      add(
        fieldOf(path),
        `${path.replace(/^(scoring|lists)\./, '')}: ${message}${hint === null ? '' : `; ${hint}`}.`,
      );
    }
    return null;
  }
}

function refuseFiles(): never {
  throw new Error('files are named in the configuration alone');
}

/** Each mistake stands at a field; those of a whole section at its first. */
function fieldOf(path: string): string {
  const place = path.replace(/^(scoring|lists)\./, '');
  if (place === 'weights') return 'weights-email';
  if (place === 'levels') return 'levels-low';
  return /^(points|decisive|allow|deny)/.exec(place)?.[0] ?? place.replace('.', '-');
}

function readPoints(lines: readonly string[], add: Add): Readonly<Record<string, number>> {
  const points: Record<string, number> = {};
  for (const line of lines) {
    const [, code, taken] = /^([\w-]+)\s*[:=]\s*(\d+(?:\.\d+)?)$/.exec(line) ?? [];
    if (code === undefined || code in points) {
      add(
        'points',
        `“${line.slice(0, 80)}” is no code with its points, such as tor_ip: 70, or stands twice.`,
      );
    } else {
      points[code] = Number(taken);
    }
  }
  return points;
}

function entriesOf(list: 'allow' | 'deny', texts: readonly string[], add: Add): readonly ListEntry[] {
  return texts.flatMap((text) => {
    const entry = parseListEntry(text);
    const why = entry && whyNotStored(entry);
    if (why) add(list, `“${text.slice(0, 80)}” cannot be tried on stored decisions: ${why}.`);
    return entry ?? [];
  });
}
