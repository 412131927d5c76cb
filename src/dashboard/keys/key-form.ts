import { keyNameProblem } from '../../accounts/issue-api-key.ts';
import type { Form } from '../form.ts';

/** The valid values of the form for a new key. */
export interface KeyForm {
  readonly name: string;
  readonly test: boolean;
  /** Whether the key may read and label decisions of the gate. */
  readonly readsGate: boolean;
  /** The expiry; null when the key never expires. */
  readonly endsInDays: number | null;
}

export const EMPTY_KEY_FORM: KeyForm = { name: '', test: false, readsGate: false, endsInDays: null };

const HOUR_MS = 3_600_000;
export const DEFAULT_OVERLAP = '24h';
/** The time for which a replaced key still works. */
export const OVERLAPS: Readonly<Record<string, { readonly label: string; readonly ms: number }>> = {
  '0': { label: 'at once', ms: 0 },
  '1h': { label: 'in an hour', ms: HOUR_MS },
  '24h': { label: 'in 24 hours', ms: 24 * HOUR_MS },
  '7d': { label: 'in 7 days', ms: 7 * 24 * HOUR_MS },
};
export const LIFETIMES_DAYS = [7, 30, 90, 365] as const;

export function readKeyForm(form: Form): KeyForm {
  const ends = LIFETIMES_DAYS.find((days) => String(days) === form.text('ends'));
  const kind = form.text('kind');
  return {
    name: form.text('name'),
    test: kind === 'test',
    readsGate: kind === 'gate',
    endsInDays: ends ?? null,
  };
}

/** The error of an invalid name, as a sentence; undefined for a valid name. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'Enter a name that says where the key is used.';
  return keyNameProblem(name);
}

/** Null for a value that is not one of the choices. */
export function readOverlap(form: Form): number | null {
  const overlap = form.text('overlap');
  return Object.hasOwn(OVERLAPS, overlap) ? (OVERLAPS[overlap]?.ms ?? null) : null;
}
