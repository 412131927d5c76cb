import { COHORT_KINDS, type CohortCell, type CohortSighting, type SightedDomain } from '../cohorts/cohort.ts';
import type { SurgeSettings } from '../cohorts/surge.ts';

/** One signup in the stream of all nodes: styles, pseudonyms, and the domain. */
export interface CohortEntry {
  readonly node: string;
  readonly sighting: CohortSighting;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly settings: SurgeSettings;
}

export function writeCohortEntry({ node, sighting, at, settings }: CohortEntry): string {
  const { scope, member, cells, sighted } = sighting;
  const { signups, timesUsual } = settings;
  const places = cells.map(({ kind, group, style }) => [COHORT_KINDS.indexOf(kind), group, style]);
  return JSON.stringify([
    node,
    at,
    scope,
    member,
    signups,
    timesUsual,
    places,
    [sighted.domain, sighted.mailbox],
  ]);
}

/** @returns null for an entry of another version. */
export function readCohortEntry(text: string): CohortEntry | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(value) || value.length !== 8) return null;
  const [node, at, scope, member, signups, timesUsual, places, domain] = value as readonly unknown[];
  const areTexts = [node, scope, member].every((one) => typeof one === 'string');
  const areNumbers = [at, signups, timesUsual].every((one) => Number.isFinite(one));
  if (!areTexts || !areNumbers || !Array.isArray(places)) return null;
  const cells = places.map(readCell);
  const sighted = readDomain(domain);
  if (cells.length === 0 || cells.length > COHORT_KINDS.length || cells.includes(null) || !sighted)
    return null;
  return {
    node: node as string,
    at: at as number,
    sighting: {
      ...{ scope: scope as string, member: member as string, sighted },
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
