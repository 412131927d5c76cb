import type { IncomingMessage } from 'node:http';
import type { IpAddress } from '../../addresses/ip-address.ts';
import type { FormVisit } from '../../assessment/attempt.ts';
import { type Pseudonymize, truncatedNetwork } from '../../assessment/identity.ts';
import type { Clock } from '../../clock.ts';
import type { SharedSightings } from '../../counters/counters.ts';
import { userAgentOf } from '../../http/request-head.ts';
import type { GateSettings } from '../settings.ts';
import { peerOf, senderAddress } from '../transport/upstream-request.ts';
import type { FormPages } from './form-pages.ts';
import { createVisitMemory } from './visit-memory.ts';

export interface Visitor {
  readonly ip: IpAddress;
  readonly userAgent: string | null;
}

/** The visitors who loaded the pages with the form. */
export interface FormVisits {
  /**
   * To be called for each request.
   * @returns a function that receives the status of the app's answer; null when the request loads no such page.
   */
  begin(
    request: IncomingMessage,
    settings: Pick<GateSettings, 'formPages' | 'trust'>,
  ): ((status: number) => void) | null;
  /**
   * The visit of the sender of a signup. Null when it is not known whether there was one.
   * @param form The pages of the route.
   */
  find(
    signup: Visitor & { readonly receivedAt: number },
    form: readonly string[],
    settings: Pick<GateSettings, 'formPages'>,
  ): FormVisit | Promise<FormVisit | null> | null;
}

export interface FormVisitsDependencies {
  readonly pseudonymize: Pseudonymize;
  /** The visits that other processes saw; null when processes do not share them. */
  readonly shared: SharedSightings | null;
  /** Whether other nodes may have seen a visit but cannot share it. A missing visit then proves nothing. */
  readonly hasSilentNodes: boolean;
  readonly clock: Clock;
  /** 100,000 by default. */
  readonly maxSightings?: number;
}

const HOUR_MS = 3_600_000;
/** Long enough for a tab that stays open overnight. */
const LIFETIME_MS = 24 * HOUR_MS;
/** A missing visit counts only when all visits of this time are known. Few people need longer for a form. */
const MIN_KNOWN_MS = HOUR_MS;
/** A browser may load the page over IPv4 and send the form over IPv6. */
const OTHER_FAMILY_MS = 600_000;
/** 304 means that the browser already has the page. */
const LOADED: ReadonlySet<number> = new Set([200, 304]);

/**
 * Remembers which visitors loaded the pages with the form. A visitor is a network (/24 or /48: people change addresses
 * within it) and a user agent. Only their keyed hash is kept.
 */
export function createFormVisits(dependencies: FormVisitsDependencies): FormVisits {
  const { pseudonymize, shared, hasSilentNodes, clock, maxSightings } = dependencies;
  const memory = createVisitMemory({ shared, ...(maxSightings === undefined ? {} : { maxSightings }) });
  const watched = new Map<string, { readonly since: number; visitedAt: number | null }>();
  let pages: FormPages | null = null;

  /**
   * A page that a reload adds is watched from then on. Each request calls this, so that the visits of a page which no
   * setting names for a while do not count as known.
   */
  function follow(formPages: FormPages | null): void {
    if (formPages === pages) return;
    pages = formPages;
    const named = new Set(formPages?.pages);
    for (const page of watched.keys()) if (!named.has(page)) watched.delete(page);
    for (const page of named) if (!watched.has(page)) watched.set(page, { since: clock(), visitedAt: null });
  }

  function visitorKey(page: string, { ip, userAgent }: Visitor): string {
    return pseudonymize(`visit ${page}\n${truncatedNetwork(ip)}\n${userAgent ?? ''}`);
  }

  function familyKey(page: string, family: 4 | 6, { userAgent }: Visitor): string {
    return pseudonymize(`visit ${page}\nIPv${family}\n${userAgent ?? ''}`);
  }

  function note(page: string, visitor: Visitor, at: number): void {
    const visits = watched.get(page);
    if (visits) visits.visitedAt = at;
    memory.note(visitorKey(page, visitor), at, LIFETIME_MS);
    memory.note(familyKey(page, visitor.ip.family, visitor), at, OTHER_FAMILY_MS);
  }

  /** The time before now for which all visits of each page are known; 0 when a missing visit proves nothing. */
  function knownMs(form: readonly string[], now: number): number {
    if (hasSilentNodes) return 0;
    let since = memory.completeSince();
    let visitedAt: number | null = null;
    for (const page of form) {
      const visits = watched.get(page);
      if (!visits) return 0;
      since = Math.max(since, visits.since);
      visitedAt = Math.max(visitedAt ?? 0, visits.visitedAt ?? 0);
    }
    const known = Math.min(now - since, LIFETIME_MS);
    // A page without a single visitor probably has another path, or another server delivers it.
    return known < MIN_KNOWN_MS || visitedAt === null || now - visitedAt > known ? 0 : known;
  }

  return {
    begin(request, settings) {
      const { formPages, trust } = settings;
      follow(formPages);
      if (formPages === null || request.method !== 'GET') return null;
      const loaded = formPages.pagesOf(request.url ?? '/');
      if (loaded.length === 0) return null;
      const ip = senderAddress(peerOf(request, trust), request.rawHeaders, trust);
      if (ip === null) return null;
      return (status) => {
        if (!LOADED.has(status)) return;
        const visitor = { ip, userAgent: userAgentOf(request) };
        const now = clock();
        for (const page of loaded) note(page, visitor, now);
      };
    },
    find({ receivedAt: now, ...visitor }, form, { formPages }) {
      follow(formPages);
      if (formPages === null) return null;
      const known = knownMs(form, now);
      const knownHours = Math.max(1, Math.floor(known / HOUR_MS));
      const otherFamily = visitor.ip.family === 4 ? 6 : 4;
      const keys = form.flatMap((page) => [
        { key: visitorKey(page, visitor), withinMs: LIFETIME_MS },
        { key: familyKey(page, otherFamily, visitor), withinMs: OTHER_FAMILY_MS },
      ]);
      const latest = (times: readonly (number | null)[]): FormVisit | null => {
        const recent = times.filter((at, i) => at !== null && now - at <= (keys[i]?.withinMs ?? 0));
        if (recent.length === 0) return null;
        const at = Math.max(...recent.map(Number));
        return { secondsBefore: Math.max(0, Math.round((now - at) / 1_000)), knownHours };
      };
      const seen = latest(keys.map(({ key }) => memory.seenAt(key)));
      if (seen !== null) return seen;
      if (known === 0) return null;
      const absent: FormVisit = { secondsBefore: null, knownHours };
      if (shared === null) return absent;
      return Promise.all(keys.map(({ key }) => shared.find(key))).then(
        (times) => latest(times) ?? absent,
        () => null,
      );
    },
  };
}
