import type { Clock } from '../clock.ts';
import type { RouteConfig } from '../config/config.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { GateMetrics } from '../telemetry/metrics.ts';
import type { BodyOutline } from './signup-body/body-outline.ts';

/** Signups of one route without an email at its place, with the same fields. */
export interface MissingEmail {
  readonly route: string;
  /** Names of the fields that the bodies have; never values. */
  readonly fields: readonly string[];
  /** The line of YAML to write for the route; null when no field looks like an email. */
  readonly proposal: string | null;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
  /** Whether the route forwards, because it never had a signup with an email. */
  readonly isForwarding: boolean;
}

export interface MissingEmails {
  /** To be called for a signup with the field. From now on, the route blocks signups without an email. */
  found(route: RouteConfig): void;
  /**
   * To be called for a signup without the field. Returns whether the place of the route is probably wrong: more than
   * ten signups, and never one with an email.
   */
  missed(route: RouteConfig, outline: BodyOutline): boolean;
  /** Most frequent first. */
  list(): readonly MissingEmail[];
}

export interface MissingEmailsDependencies {
  readonly metrics: Pick<GateMetrics, 'missingEmail'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Some empty forms are sent by accident or by a scanner. Ten in a row without any email are not an accident. */
const MISSED_AT_FIRST = 10;
const REPORT_EVERY_MS = 60_000;
/** The limit is larger than any configuration needs. A changed place begins a new entry. */
const MAX_ROUTES = 2_000;
/** A limit is needed, since senders choose the fields. */
const MAX_OUTLINES = 20;

interface RouteState {
  readonly route: string;
  hasEmail: boolean;
  missed: number;
  reportAt: number;
  readonly outlines: Map<string, BodyOutline & { count: number; lastAt: number }>;
}

/**
 * Remembers, in memory, whether signups of a route have an email at its place. A wrong `email` in the configuration
 * would block every visitor without any warning. An attacker gains little by signups without an email: the first signup
 * with an email ends the forwarding of its route until the process ends, and before that the other factors still
 * decide.
 */
export function createMissingEmails({ metrics, clock, log }: MissingEmailsDependencies): MissingEmails {
  const states = new Map<string, RouteState>();
  /** A reload makes new routes; the same name and places keep their state. */
  const known = new WeakMap<RouteConfig, RouteState>();

  function stateOf(route: RouteConfig): RouteState {
    const kept = known.get(route);
    if (kept) return kept;
    const key = JSON.stringify([route.name, route.path, route.email]);
    const state = states.get(key) ?? {
      route: route.name,
      hasEmail: false,
      missed: 0,
      reportAt: 0,
      outlines: new Map(),
    };
    const [oldest] = states.keys();
    if (states.size >= MAX_ROUTES && oldest !== undefined) states.delete(oldest);
    states.set(key, state);
    known.set(route, state);
    return state;
  }

  function note(state: RouteState, outline: BodyOutline, now: number): void {
    const key = outline.fields.join(',');
    const group = state.outlines.get(key);
    if (group) {
      group.count++;
      group.lastAt = now;
    } else if (state.outlines.size < MAX_OUTLINES) {
      state.outlines.set(key, { ...outline, count: 1, lastAt: now });
    }
    metrics.missingEmail(state.route, group || state.outlines.has(key) ? key : 'other');
  }

  return {
    found(route) {
      stateOf(route).hasEmail = true;
    },
    missed(route, outline) {
      const state = stateOf(route);
      const now = clock();
      state.missed++;
      note(state, outline, now);
      const isForwarding = isMisplaced(state);
      const isBeginning = isForwarding && state.missed === MISSED_AT_FIRST + 1;
      if (isBeginning || now >= state.reportAt) {
        state.reportAt = now + REPORT_EVERY_MS;
        log.warn(
          {
            route: state.route,
            place: route.email,
            fields: outline.fields,
            proposal: proposalOf(outline),
            missed: state.missed,
          },
          isForwarding
            ? 'NO SIGNUP OF THIS ROUTE HAD AN EMAIL AT ITS PLACE: they are forwarded unchecked by it; correct the `email` of the route'
            : 'a signup has no email at the place of its route',
        );
      }
      return isForwarding;
    },
    list: () =>
      [...states.values()]
        .flatMap((state) =>
          [...state.outlines.values()].map(({ fields, emailField, count, lastAt }) => ({
            route: state.route,
            fields,
            count,
            lastAt,
            proposal: proposalOf({ fields, emailField }),
            isForwarding: isMisplaced(state),
          })),
        )
        .sort((a, b) => b.count - a.count),
  };
}

function isMisplaced({ hasEmail, missed }: RouteState): boolean {
  return !hasEmail && missed > MISSED_AT_FIRST;
}

function proposalOf({ emailField }: BodyOutline): string | null {
  return emailField === null ? null : `email: ${emailField}`;
}
