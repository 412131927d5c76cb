import type { Attempt } from '../../src/assessment/attempt.ts';
import type { Examination } from '../../src/assessment/processor.ts';
import type { Factor } from '../../src/assessment/reasons.ts';
import { examination, examinations } from '../helpers/examinations.ts';
import { BROWSER, type MailGate, type MailGateOptions, openMailGate } from './mail-gate.ts';

export const FORM = 'application/x-www-form-urlencoded';
const CLEAN = examinations();

/** `gmial.com` is misspelled and verified; `held@` is verified and `refused@` refused at any other domain. */
function examine(factor: Factor, { email: { mailbox } }: Attempt): Examination {
  if (factor === 'email' && mailbox?.domain.ascii === 'gmial.com') {
    const misspelled = { code: 'misspelled_domain', evidence: 'gmail.com', shared: true } as const;
    return { ...examination('corporate_email', misspelled), base: 0 };
  }
  if (factor === 'email' && mailbox?.localPart === 'held')
    return { ...examination('personal_email'), base: 0 };
  if (factor === 'email' && mailbox?.localPart === 'refused')
    return examination('personal_email', 'disposable_email');
  return CLEAN[factor] as Examination;
}

/** A gate that verifies by mail and knows one misspelled domain. */
export const open = (t: Parameters<typeof openMailGate>[0], options: MailGateOptions = {}) =>
  openMailGate(t, { examine, ...options });

export interface Sent {
  readonly body: string | Buffer<ArrayBuffer>;
  readonly type?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function send(
  gate: MailGate,
  { body, type = FORM, query = '', headers = BROWSER }: Sent,
): Promise<Response> {
  return fetch(`${gate.url}/signup${query}`, {
    ...{ method: 'POST', redirect: 'manual', body },
    headers: { ...headers, 'content-type': type },
  });
}

export function accept(gate: MailGate, path: string, headers: Readonly<Record<string, string>> = BROWSER) {
  return fetch(`${gate.url}${path}`, {
    ...{ method: 'POST', redirect: 'manual', headers },
    body: new URLSearchParams({ action: 'use_suggestion' }),
  });
}

export async function pageAt(gate: MailGate, path: string): Promise<string> {
  return (await fetch(`${gate.url}${path}`, { headers: BROWSER })).text();
}
