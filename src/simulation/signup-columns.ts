import { SIGNUP_FIELDS, type SignupField } from './signup-row.ts';

/**
 * The columns that a person chose for the fields: `time` → `created_at`. An empty name means that no column has the
 * field.
 */
export type ColumnChoice = ReadonlyMap<SignupField, string>;

/** The columns of a file, found by their names. */
export interface FoundColumns {
  /** The place of each field among the names. */
  readonly places: ReadonlyMap<SignupField, number>;
  /** Fields for which two columns have a usual name. */
  readonly ambiguous: readonly { readonly field: SignupField; readonly names: readonly string[] }[];
  /** The chosen names that are missing in the file. */
  readonly unknown: readonly string[];
}

/**
 * The names that exports of databases, shops and identity providers use. Case, spaces, hyphens, underscores and dots
 * are ignored. `last_ip` and `updated_at` are not in the list, since they describe a later event than the signup.
 */
const USUAL_NAMES: Readonly<Record<SignupField, readonly string[]>> = {
  time: [
    ...[
      'timestamp',
      'date',
      'datetime',
      'created',
      'created_at',
      'created_on',
      'created_time',
      'created_date',
    ],
    ...['creation_date', 'creation_time', 'date_created', 'signup_time', 'signup_date', 'signup_at'],
    ...['signed_up_at', 'registered', 'registered_at', 'registration_date', 'registration_time', 'joined_at'],
    ...['date_joined', 'date_registered', 'user_registered', 'inserted_at'],
  ],
  email: ['mail', 'email_address', 'mail_address', 'user_email', 'user_mail'],
  ip_address: [
    ...['ip', 'ip_addr', 'remote_ip', 'remote_addr', 'remote_address', 'client_ip', 'user_ip', 'signup_ip'],
    ...['registration_ip', 'created_ip', 'source_ip', 'created_from_ip'],
  ],
  user_agent: ['ua', 'agent', 'http_user_agent', 'browser_user_agent', 'signup_user_agent'],
  label: ['fraud', 'is_fraud', 'fraudulent', 'is_fraudulent', 'fraud_label'],
};

const FIELDS_BY_NAME = new Map(
  SIGNUP_FIELDS.flatMap((field) => USUAL_NAMES[field].map((name) => [comparable(name), field] as const)),
);
const FIELDS_BY_OWN_NAME = new Map(SIGNUP_FIELDS.map((field) => [comparable(field), field] as const));
/** The names in our own exports. Other programs use them for later events, so any usual name takes precedence. */
const FIELDS_BY_EXPORTED_NAME = new Map([[comparable('processed_at'), 'time' as const]]);

/**
 * The documented names take precedence, so a file may have more columns than are needed. The choice of a person takes
 * precedence over all names.
 */
export function findColumns(names: readonly string[], choice: ColumnChoice): FoundColumns {
  const places = new Map<SignupField, number>();
  const ambiguous: { field: SignupField; names: readonly string[] }[] = [];
  const unknown: string[] = [];
  const all = names.map(comparable);
  for (const field of SIGNUP_FIELDS) {
    const chosen = choice.get(field);
    if (chosen === '') continue;
    const candidates = chosen === undefined ? named(field, all) : placesOf(chosen, names, all);
    const [first] = candidates;
    if (first === undefined) {
      if (chosen !== undefined) unknown.push(chosen);
    } else if (candidates.length > 1) {
      ambiguous.push({ field, names: candidates.map((place) => (names[place] ?? '').slice(0, 60)) });
    } else {
      places.set(field, first);
    }
  }
  return { places, ambiguous, unknown };
}

function named(field: SignupField, names: readonly string[]): readonly number[] {
  const placesIn = (known: ReadonlyMap<string, SignupField>) =>
    names.flatMap((name, place) => (known.get(name) === field ? [place] : []));
  const tables = [FIELDS_BY_OWN_NAME, FIELDS_BY_NAME, FIELDS_BY_EXPORTED_NAME];
  return tables.map(placesIn).find((places) => places.length > 0) ?? [];
}

function placesOf(chosen: string, names: readonly string[], all: readonly string[]): readonly number[] {
  const exact = names.flatMap((name, place) => (name === chosen ? [place] : []));
  if (exact.length > 0) return exact;
  const wanted = comparable(chosen);
  return all.flatMap((name, place) => (name === wanted ? [place] : []));
}

function comparable(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]+/g, '');
}

/** `created_at and timestamp may both be the time`. */
export function describeAmbiguous({ field, names }: FoundColumns['ambiguous'][number]): string {
  const isOneName = new Set(names).size === 1;
  return isOneName ? `${names[0]} occurs twice` : `${names.join(' and ')} may both be ${field}`;
}

/**
 * Reads `time=created_at,email=mail`.
 * @returns the reason as a sentence when it is invalid.
 */
export function parseColumnChoice(text: string): ColumnChoice | string {
  const choice = new Map<SignupField, string>();
  for (const part of text.split(',')) {
    const [, name = '', column = ''] = /^([^=]*)=(.*)$/s.exec(part)?.map((item) => item.trim()) ?? [];
    const field = SIGNUP_FIELDS.find((known) => known === name);
    if (field === undefined || column === '') {
      return `“${part.trim()}” is not a field and its column, such as time=created_at. The fields are ${SIGNUP_FIELDS.join(', ')}.`;
    }
    if (choice.has(field)) return `${field} occurs twice.`;
    choice.set(field, column);
  }
  return choice;
}

/**
 * Converts the value of a column to the value of the field. A label is read in any case. A column with another name
 * than `label` may say fraud as 1, true or yes.
 */
export function fieldValue(field: SignupField, value: unknown, column: string): unknown {
  if (field !== 'label') return value;
  const text = typeof value === 'boolean' || typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return value;
  const word = text.trim().toLowerCase();
  if (word === '') return null;
  const labels = comparable(column) === 'label' ? LABELS : TRUTH_VALUES;
  return labels.get(word) ?? value;
}

const LABELS = new Map(['fraud', 'legitimate'].map((label) => [label, label] as const));
const TRUTH_VALUES = new Map([
  ...LABELS,
  ...['1', 'true', 't', 'yes', 'y'].map((text) => [text, 'fraud'] as const),
  ...['0', 'false', 'f', 'no', 'n'].map((text) => [text, 'legitimate'] as const),
]);
