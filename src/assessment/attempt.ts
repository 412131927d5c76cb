import type { Mailbox } from '../addresses/email-address.ts';
import type { IpAddress } from '../addresses/ip-address.ts';
import { translatedIpv4 } from '../addresses/translated-ipv4.ts';
import { type AttemptIdentity, type IdentifyingFacts, identify, type Pseudonymize } from './identity.ts';

/**
 * The door of the attempt. Attempts of `cli` and `simulation` are judged in the same way but change no counters and no
 * quota.
 */
export type Door = 'api' | 'gate' | 'cli' | 'simulation';

/**
 * The email of the sender: a mailbox, or the reason why it is not one. Only the gate passes an email without a mailbox
 * to the judge.
 */
export type AttemptEmail =
  | { readonly mailbox: Mailbox }
  | {
      readonly mailbox: null;
      readonly problem: 'missing' | 'syntax';
      /** The names of the fields that the body has instead of the email. */
      readonly bodyFields?: readonly string[];
    };

/** What the gate knows about the sender's visit to the page with the form. */
export interface FormVisit {
  /** Seconds from the last visit to the signup; null when there was no visit. */
  readonly secondsBefore: number | null;
  /** The number of past hours for which visits are known: 1 to 24. */
  readonly knownHours: number;
}

/** The facts of one signup attempt as the door received them. */
export interface AttemptFacts {
  /** A UUID. Support and the caller find the decision by this id. */
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly door: Door;
  /** The scope of its velocity counts: an account's id at the API, `gate` at the gate. Velocity never mixes scopes. */
  readonly scope: string;
  /** The name of the gate's route; null at the API. */
  readonly route: string | null;
  readonly email: AttemptEmail;
  readonly ip: IpAddress;
  /** The user agent, at most 2,048 characters. Null when absent or blank. */
  readonly userAgent: string | null;
  /** Name and value pairs in their order of arrival; null at the API, which does not receive them. */
  readonly headers: readonly (readonly [name: string, value: string])[] | null;
  /**
   * Null or left out when it is not known whether the sender visited the page with the form. A promise while other
   * processes are asked. The promise never rejects.
   */
  readonly formVisit?: FormVisit | Promise<FormVisit | null> | null;
}

/** One signup attempt: normalised, frozen facts, and the pseudonyms under which it is counted and stored. */
export interface Attempt extends AttemptFacts {
  readonly identity: AttemptIdentity;
}

export function createAttempt(
  facts: AttemptFacts & Pick<IdentifyingFacts, 'corrects'>,
  pseudonymize: Pseudonymize,
): Attempt {
  // Networks, lists and counts know this sender by the IPv4 address.
  const ipv4 = facts.ip.family === 6 ? translatedIpv4(facts.ip) : null;
  if (ipv4) return createAttempt({ ...facts, ip: ipv4 }, pseudonymize);
  // The fields are named one by one. A spread costs 1.5 µs, a tenth of a scoring, and makes an object that is slower to
  // read later.
  return Object.freeze({
    requestId: facts.requestId,
    receivedAt: facts.receivedAt,
    door: facts.door,
    scope: facts.scope,
    route: facts.route,
    email: facts.email,
    ip: facts.ip,
    userAgent: facts.userAgent,
    headers: facts.headers,
    formVisit: facts.formVisit ?? null,
    identity: identify(facts, pseudonymize),
  });
}

/** How a judged attempt ends. Processors that remember attempts need this. */
export interface AttemptOutcome {
  /**
   * Calls the listener once, as soon as it is known whether the attempt is refused. If this is already known, the call
   * is immediate.
   */
  whenKnown(listener: (isRefused: boolean) => void): void;
}

interface OpenOutcome extends AttemptOutcome {
  /** Reports whether the attempt is refused. Call it once. */
  settle(isRefused: boolean): void;
}

export function createAttemptOutcome(): OpenOutcome {
  const listeners: ((isRefused: boolean) => void)[] = [];
  let known: boolean | null = null;
  return {
    whenKnown(listener) {
      if (known === null) listeners.push(listener);
      else listener(known);
    },
    settle(isRefused) {
      known = isRefused;
      for (const listener of listeners) listener(isRefused);
    },
  };
}
