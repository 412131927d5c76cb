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

/** A policy to simulate. */
export interface Proposal {
  readonly policy: Policy;
  readonly scoring: ScoringConfig;
  /** Entries to add to the current lists. */
  readonly lists: Readonly<Record<'allow' | 'deny', readonly ListEntry[]>>;
  readonly typedLists: Readonly<Record<'allow' | 'deny', readonly string[]>>;
  readonly days: number;
}

/** The errors of a form: one sentence per field name. */
export type FormIssues = ReadonlyMap<string, string>;

export const MAX_DAYS = 30;
/** The limits of a field. They are needed because the event loop that judges signups also reads these lines. */
const MAX_LINES = 200;
const MAX_CHARACTERS = 50_000;
const ISSUES_A_FIELD = 5;

/** Reads the form by the rules of the configuration file, so that a simulated policy can be pasted into the file. */
export function readProposal(form: SimulatorForm): Proposal | FormIssues {
  const issues = new Map<string, string[]>();
  const add = (field: string, message: string) => {
    issues.set(field, [...(issues.get(field) ?? []), message]);
  };
  for (const [field, text] of Object.entries(form)) {
    if (text.length > MAX_CHARACTERS || linesOf(text).length > MAX_LINES) {
      add(field, `At most ${MAX_LINES} lines can be simulated at once.`);
    }
  }
  if (issues.size > 0) return toSentences(issues);
  const typedLists = { allow: linesOf(form.allow), deny: linesOf(form.deny) };
  const scoring = checkedScoring(form, typedLists, add);
  const lists = {
    allow: entriesOf('allow', typedLists.allow, add),
    deny: entriesOf('deny', typedLists.deny, add),
  };
  const days = /^\d{1,2}$/.test(form.days ?? '') ? Number(form.days) : 0;
  if (days < 1 || days > MAX_DAYS) add('days', `Give a number of days from 1 to ${MAX_DAYS}.`);
  if (!scoring || issues.size > 0) return toSentences(issues);
  return { policy: policyOf(scoring), scoring, lists, typedLists, days };
}

function toSentences(issues: ReadonlyMap<string, readonly string[]>): FormIssues {
  return new Map([...issues].map(([field, all]) => [field, all.slice(0, ISSUES_A_FIELD).join(' ')]));
}

export function isMistaken(read: Proposal | FormIssues): read is FormIssues {
  return read instanceof Map;
}

type Add = (field: string, message: string) => void;

/** Null when the form would make the configuration invalid; `add` received the errors. */
function checkedScoring(form: SimulatorForm, lists: Proposal['typedLists'], add: Add): ScoringConfig | null {
  const points = readPoints(linesOf(form.points), add);
  const scoring = { ...numbersOf(form), points, decisive: linesOf(form.decisive) };
  try {
    const { config } = loadConfig({
      file: null,
      text: formatYaml({ scoring, lists }),
      env: {},
      // A form cannot name files: `${file:…}` is an error here.
      readFile: refuseFiles,
      knownNames: {
        reasons: REASONS,
        isListEntry: (text) => parseListEntry(text) !== null,
        warnOfReach: () => null,
        feedSources: [],
        texts: [],
        languages: [],
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
  throw new Error('only the configuration file may name files');
}

/** Each error belongs to a field. An error of a whole section belongs to its first field. */
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
        `“${line.slice(0, 80)}” is not a code with its points, such as tor_ip: 70, or the code occurs twice.`,
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
    if (why) add(list, `“${text.slice(0, 80)}” cannot be simulated on stored decisions: ${why}.`);
    return entry ?? [];
  });
}
