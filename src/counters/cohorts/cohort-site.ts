import { hashText, type TextHash } from '../hash-text.ts';
import {
  COHORT_KINDS,
  type CohortCell,
  type CohortKind,
  type CohortOptions,
  type CohortResult,
  type CohortSighting,
  type CohortSurge,
  type CountedSignup,
} from './cohort.ts';
import { createCohortKeys, createCohortPast, createCohortWindows, WINDOW_SIGNUPS } from './cohort-counts.ts';
import { createRegularIntervals } from './regular-intervals.ts';
import { surgeStrength } from './surge.ts';
import { createUsualDomains } from './usual-domains.ts';

/** The signups of one scope. */
export interface CohortSite {
  observe(sighting: CohortSighting, now: number, options: CohortOptions): CohortResult;
  takeBack(counted: CountedSignup): void;
}

/** The number of keys of each kind. A flood of browsers evicts only browsers. Sites have some hundred styles. */
const SECTIONS = [256, 512, 512, 256, 256];
/** The last place counts signups at regular intervals. */
const PLACES_PER_SIGHTING = 2 * COHORT_KINDS.length + 1;
const REGULAR = PLACES_PER_SIGHTING - 1;
const REGULAR_STYLE = 'interval';
/** If programs make such a share of the signups, regular intervals are usual for the site. */
const USUALLY_REGULAR = 0.3;
const TRIES_AGAIN_MS = 3_600_000;
/** The number of recently seen mailboxes that are remembered. */
const REMEMBERED = 1024;
/**
 * For this number of signups, a new site counts as an average site. A style that was never seen counts as rare.
 */
const PRIOR_SIGNUPS = 60;
const PRIOR_SHARE = 0.005;
const COMMON_SHARE = 0.03;
/** For this time, mail servers are only learned, because DNS may have been switched on today. */
const WATCH_MAIL_MS = 3 * 86_400_000;
/** The weight of the signups of a surge in the past. It is below 1. */
const SURGE_WEIGHT = 0.2;
const SLOWEST_PER_MS = 0.3 / 3_600_000;
const SHORTEST_MS = 60_000;
/** A surge continues when its last signups came faster than usual, and not long ago. */
const LAST_MEMBERS = 10;
const LAST_TIMES_USUAL = 2;
const LONGEST_GAPS = 6;
const LONGEST_PAUSE_MS = 30_000;

export function createCohortSite(seed: TextHash): CohortSite {
  const keys = createCohortKeys({
    sections: SECTIONS,
    worthOf: (place) =>
      windows.has(place) || places.includes(place) ? Number.POSITIVE_INFINITY : past.worthOf(place),
    onEvicted: (place) => past.forget(place),
  });
  const past = createCohortPast(keys.size);
  const windows = createCohortWindows(keys.size, PLACES_PER_SIGHTING);
  const domains = createUsualDomains(seed);
  const intervals = createRegularIntervals();
  const members = new Uint32Array(REMEMBERED);
  /**
   * For each mailbox, the row of signups at regular intervals that it continued. It is used when the mailbox tries
   * again.
   */
  const rows: (CohortSurge | null)[] = new Array(REMEMBERED).fill(null);
  const rowTimes = new Float64Array(REMEMBERED);
  /** By kind: the place of the group, and the place of the style in it. */
  const places = new Uint16Array(PLACES_PER_SIGHTING);
  /** The weight of the last signups in the past. */
  const weights = new Float32Array(Math.max(...WINDOW_SIGNUPS));
  const lastTimes = new Float64Array(LAST_MEMBERS);
  const hashed: TextHash = { high: 0, low: 0 };
  let firstMailAt = Number.POSITIVE_INFINITY;

  const hashOf = (text: string): number => hashText(text, seed, hashed).low || 1;

  /**
   * Hashes each text once, because the cells of a signup have only one or two styles. Only new domains are compared by
   * mail server.
   */
  function findPlaces(cells: readonly CohortCell[], isNewDomain: boolean): void {
    places.fill(0);
    let style = '';
    let styleHash = 0;
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i];
      if (!cell || (cell.kind === 'mail_server' && !isNewDomain)) continue;
      if (styleHash === 0 || cell.style !== style) {
        style = cell.style;
        styleHash = hashOf(style);
      }
      const section = COHORT_KINDS.indexOf(cell.kind);
      const groupHash = hashOf(cell.group);
      const group = keys.placeOf(section, groupHash);
      places[2 * i] = group;
      if (group !== 0) places[2 * i + 1] = keys.placeOf(section, joinHashes(groupHash, styleHash));
    }
  }

  /** The row that the signup continues. Null when signups at regular intervals are usual at this site. */
  function surgeOfRow(signup: number, now: number, options: CohortOptions): CohortSurge | null {
    const row = intervals.add(signup, now, options.signups);
    if (!row) return null;
    const regular = keys.placeOf(0, hashOf(REGULAR_STYLE));
    places[REGULAR] = regular;
    const all = places[0] ?? 0;
    const usual = (past.learned[regular] ?? 0) / Math.max(1, past.learned[all] ?? 0);
    if (!past.isKnown(all) || usual > USUALLY_REGULAR) return null;
    return { cell: { kind: 'interval', group: '', style: REGULAR_STYLE }, usual, ...row };
  }

  /** The usual share of a style in its group. If the group has few signups, the share of the style in all groups. */
  function usualShare(cell: number, kind: CohortKind): number {
    const overall = kind === 'provider' || kind === 'browser' ? smoothedShare(0, PRIOR_SHARE) : PRIOR_SHARE;
    return smoothedShare(cell, overall);
  }

  function smoothedShare(cell: number, expected: number): number {
    const ofGroup = past.learned[places[2 * cell] ?? 0] ?? 0;
    const ofStyle = past.learned[places[2 * cell + 1] ?? 0] ?? 0;
    return (ofStyle + PRIOR_SIGNUPS * expected) / (ofGroup + PRIOR_SIGNUPS);
  }

  function strongestSurge(
    cells: readonly CohortCell[],
    now: number,
    options: CohortOptions,
  ): CohortSurge | null {
    const { learned } = past;
    const total = learned[places[0] ?? 0] ?? 0;
    const spanMs = past.spanMs();
    if (!past.isKnown(places[0] ?? 0)) return null;
    const perMs = Math.max(total / spanMs, SLOWEST_PER_MS);
    let surge: CohortSurge | null = null;
    let strongest = 0;
    cells.forEach((cell, i) => {
      const group = places[2 * i] ?? 0;
      const place = places[2 * i + 1] ?? 0;
      if (place === 0) return;
      if (cell.kind === 'mail_server' && now < firstMailAt + WATCH_MAIL_MS) return;
      const usual = usualShare(i, cell.kind);
      const weight = (learned[group] ?? 0) + PRIOR_SIGNUPS;
      const ofChance = usual + 2 * Math.sqrt((usual * (1 - usual)) / weight);
      const share = Math.min(0.98, Math.max(ofChance, shareAnywhere(cell)));
      const ofGroupPerMs = (perMs * ((learned[group] ?? 0) + 1)) / (total + 1);
      let found: CohortSurge | null = null;
      let surprise = strongest;
      for (let window = 0; window < WINDOW_SIGNUPS.length; window++) {
        const count = windows.countOf(window, place);
        if (count < options.signups) continue;
        const ofGroup = windows.countOf(window, group);
        const durationMs = Math.max(SHORTEST_MS, now - windows.sinceOf(window));
        const expected = ofGroupPerMs * durationMs * share;
        const strength = surgeStrength({ count, ofGroup, share, expected }, options);
        if (strength <= surprise) continue;
        surprise = strength;
        found = { cell, count, among: windows.lengthOf(window), usual };
      }
      if (found === null || !goesOn(place, now, ofGroupPerMs * share)) return;
      strongest = surprise;
      surge = found;
    });
    return surge;
  }

  function goesOn(place: number, now: number, usualPerMs: number): boolean {
    const found = windows.lastTimes(place, lastTimes);
    const gaps = new Float64Array(Math.max(1, found - 1));
    for (let i = 0; i < gaps.length; i++) gaps[i] = (lastTimes[i] ?? 0) - (lastTimes[i + 1] ?? 0);
    const [sinceLast = 0] = gaps;
    const median = gaps.sort()[gaps.length >> 1] ?? 0;
    if (sinceLast > LONGEST_GAPS * median + LONGEST_PAUSE_MS) return false;
    const durationMs = Math.max(1, now - (lastTimes[found - 1] ?? 0));
    return found / durationMs >= LAST_TIMES_USUAL * usualPerMs;
  }

  return {
    observe({ member, cells, sighted }, now, options) {
      const { usual, isNew, place: mailbox } = domains.observe(sighted, now, options.weight ?? 1);
      past.advance(now);
      if (now < firstMailAt && cells.some(({ kind }) => kind === 'mail_server')) firstMailAt = now;
      findPlaces(cells, isNew);
      const hash = hashOf(member);
      const at = hash % REMEMBERED;
      if (members[at] === hash) {
        const row = now - (rowTimes[at] ?? 0) < TRIES_AGAIN_MS ? (rows[at] ?? null) : null;
        const surge = strongestSurge(cells, now, options) ?? row;
        return { surge, usual, counted: { signup: -1, mailbox } };
      }
      const signup = windows.next();
      const row = surgeOfRow(signup, now, options);
      members[at] = hash;
      rows[at] = row;
      rowTimes[at] = now;
      windows.push(now, places);
      const surge = strongestSurge(cells, now, options) ?? row;
      const weight = (options.weight ?? 1) * (surge ? SURGE_WEIGHT : 1);
      weights[signup % weights.length] = weight;
      past.addAll(places, weight);
      return { surge, usual, counted: { signup, mailbox } };
    },
    takeBack({ signup, mailbox }) {
      domains.takeBack(mailbox);
      intervals.remove(signup);
      const weight = weights[signup % weights.length] ?? 0;
      windows.remove(signup, (known) => {
        if (known !== 0) past.add(known, -weight);
      });
    },
  };
}

function joinHashes(group: number, style: number): number {
  return Math.imul(group ^ (style >>> 15) ^ (style << 17), 0x85ebca6b) >>> 0 || 1;
}

/** Mail servers that a large part of all companies uses. This share is assumed for every site. */
const GREAT_MAIL_HOSTS: ReadonlySet<string> = new Set([
  'mx:google.com',
  'mx:googlemail.com',
  'mx:outlook.com',
]);
const GREAT_SHARE = 0.4;
const HOST_SHARE = 0.08;

/** Styles that a crowd of new people often has: a word and a number, or random letters. */
function shareAnywhere({ kind, style }: CohortCell): number {
  if (kind === 'domain') return 0;
  if (kind === 'mail_server') return GREAT_MAIL_HOSTS.has(style) ? GREAT_SHARE : HOST_SHARE;
  return style.length <= 3 || style.startsWith('mix') ? COMMON_SHARE : 0;
}
