import { parseMailbox } from '../addresses/email-address.ts';
import { parseIpAddress } from '../addresses/ip-address.ts';
import { MAX_USER_AGENT_CHARACTERS } from '../http/request-head.ts';
import type { Label } from '../storage/decisions/decision-record.ts';
import { parseSignupTime } from './signup-time.ts';

/** The fields of a signup that a row of a history may have. */
export const SIGNUP_FIELDS = ['time', 'email', 'ip_address', 'user_agent', 'label'] as const;
export type SignupField = (typeof SIGNUP_FIELDS)[number];
export const REQUIRED_FIELDS = ['time', 'email', 'ip_address'] as const satisfies readonly SignupField[];

/** A row as the reader of its format delivers it. Its fields are not validated yet. */
export type Row =
  | { readonly line: number; readonly fields: Readonly<Record<string, unknown>>; readonly problem: null }
  /** A row that could not be split into fields. */
  | { readonly line: number; readonly fields: null; readonly problem: string };

/**
 * One past signup. The email address and the IP address are stored as validated texts until they are judged: in parsed
 * form, they need five times the memory.
 */
export interface PastSignup {
  /** The number of its line in the file, from 1. */
  readonly line: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly email: string;
  readonly ipAddress: string;
  readonly userAgent: string | null;
  /** The later result of the signup, when it is known. */
  readonly label: Label | null;
}

/**
 * Reads a row and its time by the rules of `POST /score-signup`.
 * @returns every problem of the row, without text from the row.
 */
export function readPastSignup(row: Row): PastSignup | string {
  if (row.fields === null) return row.problem;
  const { fields, line } = row;
  const mistakes: string[] = [];
  const read = <T>(name: string, rule: string, parse: (text: string) => T | null): T | null => {
    const given = fields[name];
    // NDJSON writes seconds and milliseconds since the epoch as numbers.
    const value = name === 'time' && typeof given === 'number' ? String(given) : given;
    const parsed = typeof value === 'string' ? parse(value) : null;
    if (parsed === null)
      mistakes.push(value === undefined ? `${name} is missing` : `${name} must be ${rule}`);
    return parsed;
  };
  const time = read('time', 'an ISO 8601 time such as 2026-11-21T10:30:00Z', parseSignupTime);
  const email = read('email', 'one mailbox such as name@example.org', (text) => parseMailbox(text) && text);
  const ipAddress = read('ip_address', 'an IPv4 or IPv6 address', (text) => parseIpAddress(text) && text);
  const userAgent = readUserAgent(fields.user_agent);
  if (userAgent === undefined) {
    mistakes.push(`user_agent must be a text of at most ${MAX_USER_AGENT_CHARACTERS} characters`);
  }
  const label = readLabel(fields.label);
  if (label === undefined) mistakes.push('label must be legitimate, fraud or empty');
  if (
    time === null ||
    email === null ||
    ipAddress === null ||
    userAgent === undefined ||
    label === undefined
  ) {
    return mistakes.join('; ');
  }
  return { line, time, email, ipAddress, userAgent, label };
}

/** Absent, null, empty and blank all mean missing. */
function readUserAgent(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  // Counts code points, as JSON Schema does. They are counted only when the text may be too long.
  if (typeof value !== 'string') return undefined;
  if (value.length > MAX_USER_AGENT_CHARACTERS && [...value].length > MAX_USER_AGENT_CHARACTERS)
    return undefined;
  return value.trim() || null;
}

function readLabel(value: unknown): Label | null | undefined {
  if (value === undefined || value === null || value === '') return null;
  return value === 'legitimate' || value === 'fraud' ? value : undefined;
}
