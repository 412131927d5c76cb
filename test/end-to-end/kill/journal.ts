/** What the program acknowledged to a client, and so must have kept, whatever became of the process. */
export interface Journal {
  readonly scores: { readonly idempotencyKey: string; readonly requestId: string }[];
  /** Request ids with feedback. */
  readonly labels: string[];
  readonly keys: { readonly name: string; readonly key: string }[];
  readonly revoked: { readonly name: string; readonly key: string }[];
  readonly added: string[];
  readonly removed: string[];
  /** Paths of links to accounts that chose a password with them. */
  readonly usedLinks: string[];
  /** Cookies of sessions that are open, and of sessions that signed out. */
  readonly sessions: string[];
  readonly ended: string[];
  readonly held: HeldSignup[];
  readonly confirmed: HeldSignup[];
}

export interface HeldSignup {
  readonly email: string;
  readonly url: string;
  readonly code: string;
}

export function createJournal(): Journal {
  return {
    ...{ scores: [], labels: [], keys: [], revoked: [], added: [], removed: [] },
    ...{ usedLinks: [], sessions: [], ended: [], held: [], confirmed: [] },
  };
}

export function sizeOf(journal: Journal): number {
  return Object.values(journal).reduce((sum: number, entries: readonly unknown[]) => sum + entries.length, 0);
}

export function append(whole: Journal, part: Journal): void {
  for (const name of Object.keys(whole) as (keyof Journal)[]) (whole[name] as unknown[]).push(...part[name]);
}
