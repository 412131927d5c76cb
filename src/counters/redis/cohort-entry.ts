import { COHORT_KINDS, type CohortCell, type CohortSighting, type SightedDomain } from '../cohorts/cohort.ts';
import type { SurgeSettings } from '../cohorts/surge.ts';

/** One signup in the stream of all nodes: its styles, pseudonyms and domain. */
export interface CohortEntry {
  readonly sighting: CohortSighting;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly settings: SurgeSettings;
}

/** Writes several signups as one text, because each encrypted text costs as much as ten signups in it. */
export function writeCohortEntries(entries: readonly CohortEntry[]): string {
  return JSON.stringify(entries.map(toList));
}

function toList({ sighting, at, settings }: CohortEntry): readonly unknown[] {
  const { scope, member, cells, sighted } = sighting;
  const { signups, timesUsual } = settings;
  const places = cells.map(({ kind, group, style }) => [COHORT_KINDS.indexOf(kind), group, style]);
  return [at, scope, member, signups, timesUsual, places, [sighted.domain, sighted.mailbox]];
}

/** Reads the signups. Signups of another version are ignored. */
export function readCohortEntries(text: string): readonly CohortEntry[] {
  let lists: unknown;
  try {
    lists = JSON.parse(text);
  } catch {
    return [];
  }
  return Array.isArray(lists) ? lists.map(readList).filter((entry) => entry !== null) : [];
}

function readList(value: unknown): CohortEntry | null {
  if (!Array.isArray(value) || value.length !== 7) return null;
  const [at, scope, member, signups, timesUsual, places, domain] = value as readonly unknown[];
  const areTexts = [scope, member].every((one) => typeof one === 'string');
  const areNumbers = [at, signups, timesUsual].every((one) => Number.isFinite(one));
  if (!areTexts || !areNumbers || !Array.isArray(places)) return null;
  const cells = places.map(readCell);
  const sighted = readDomain(domain);
  if (cells.length === 0 || cells.length > COHORT_KINDS.length || cells.includes(null) || !sighted)
    return null;
  return {
    at: at as number,
    sighting: {
      scope: scope as string,
      member: member as string,
      sighted,
      cells: cells as readonly CohortCell[],
    },
    settings: { signups: signups as number, timesUsual: timesUsual as number },
  };
}

function readDomain(value: unknown): SightedDomain | null {
  if (!Array.isArray(value)) return null;
  const [domain, mailbox] = value as readonly unknown[];
  if ((typeof domain !== 'string' && domain !== null) || typeof mailbox !== 'string') return null;
  return { domain, mailbox };
}

function readCell(value: unknown): CohortCell | null {
  if (!Array.isArray(value)) return null;
  const [index, group, style] = value as readonly unknown[];
  const kind = typeof index === 'number' ? COHORT_KINDS[index] : undefined;
  if (kind === undefined || typeof group !== 'string' || typeof style !== 'string') return null;
  return { kind, group, style };
}
