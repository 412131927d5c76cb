import type { Storage } from '../../../src/storage/storage.ts';
import type { ReceivedMail, SmtpMailbox } from '../../helpers/smtp-mailbox.ts';
import { type Browser, openBrowser } from './browser.ts';
import type { Journal } from './journal.ts';

/** A running program, and what a test needs to act on it as its clients do. */
export interface Site {
  readonly round: number;
  readonly apiUrl: string;
  readonly gateUrl: string;
  readonly dashboardUrl: string;
  readonly apiKey: string;
  readonly operator: Browser;
  readonly mails: SmtpMailbox;
  /** The same database: looks up the ids that forms carry. */
  readonly records: Storage;
  /** Gets the keys of this round: an account has room for a hundred. */
  readonly keysAccountId: string;
}

/** Sends one request after the other and notes each acknowledgement at once. Throws when the program is gone. */
export type Act = (site: Site, journal: Journal, n: number) => Promise<void>;

/** What one round does at once; scores are most of the work, as in life. */
export const ACTS: readonly Act[] = [score, score, score, score, manageKeys, changeLists, useLinks, signUp];

/** New keys of one account in an hour, which the program allows after each start. */
const MAX_KEYS = 28;

async function score({ apiUrl, apiKey, round }: Site, journal: Journal, n: number): Promise<void> {
  const idempotencyKey = `${round}-${n}-${crypto.randomUUID()}`;
  const { status, requestId } = await scoreOnce(apiUrl, apiKey, idempotencyKey);
  if (status !== 200) throw new Error(`a score was answered with ${status}`);
  journal.scores.push({ idempotencyKey, requestId });
  if (n % 8 > 0) return;
  const labelled = await fetch(`${apiUrl}/decisions/${requestId}/feedback`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: '{"label": "fraud"}',
  });
  if (labelled.status === 204) journal.labels.push(requestId);
}

export async function scoreOnce(
  apiUrl: string,
  apiKey: string,
  idempotencyKey: string | null,
): Promise<{ readonly status: number; readonly requestId: string }> {
  const response = await fetch(`${apiUrl}/score-signup`, {
    method: 'POST',
    headers: {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
    },
    body: '{"email": "jane.doe@gmail.com", "ip_address": "2.125.160.216"}',
  });
  const { request_id: requestId = '' } = (await response.json()) as { readonly request_id?: string };
  return { status: response.status, requestId };
}

async function manageKeys(site: Site, journal: Journal, n: number): Promise<void> {
  if (n >= MAX_KEYS) return;
  const name = `key ${site.round} ${n}`;
  const made = await site.operator.post('/keys', { account: site.keysAccountId, name });
  const key = /<pre id="new-key">([^<]*)<\/pre>/.exec(made.body)?.[1];
  if (key === undefined) throw new Error(`no key was made: ${made.status}`);
  journal.keys.push({ name, key });
  if (n % 2 > 0) return;
  const stored = (await site.records.apiKeys.listOf(site.keysAccountId)).find((one) => one.name === name);
  const revoked = await site.operator.post('/keys/revoke', {
    account: site.keysAccountId,
    id: stored?.id ?? '',
  });
  if (revoked.status === 303) journal.revoked.push({ name, key });
}

async function changeLists({ round, operator, records }: Site, journal: Journal, n: number): Promise<void> {
  const entry = `listed-${round}-${n}.com`;
  const added = await operator.post('/lists', { list: 'deny', entries: entry, note: '', ends: '' });
  if (added.status !== 303) throw new Error(`an entry was answered with ${added.status}`);
  journal.added.push(entry);
  if (n % 2 > 0) return;
  const [stored] = await records.listEntries.page({ after: null, limit: 1, filter: { text: entry } });
  const removed = await operator.post('/lists/remove', { id: String(stored?.id) });
  if (removed.status === 303) journal.removed.push(entry);
}

/** Invites a user, who chooses a password, which opens a session; every second one signs out. */
async function useLinks(
  { round, operator, dashboardUrl, mails }: Site,
  journal: Journal,
  n: number,
): Promise<void> {
  const email = `user-${round}-${n}@example.com`;
  const invited = await operator.post('/accounts', { email, role: 'member', plan: 'hobby' });
  // The operator gets the link when the budget of mails is used up.
  const shown = /<pre id="link">([^<]*)<\/pre>/.exec(invited.body)?.[1];
  if (shown === undefined && invited.status !== 303) throw new Error(`no link was made: ${invited.status}`);
  const url = shown ?? (await mailTo(email, mails))?.link;
  // A killed process did not send its mail.
  if (url === undefined) return;
  const path = new URL(url).pathname;
  const password = 'correct horse battery staple';
  const chosen = await openBrowser(dashboardUrl, '').post(path, { email, password });
  if (chosen.cookie === null) throw new Error(`the link was answered with ${chosen.status}`);
  journal.usedLinks.push(path);
  if (n % 2 > 0) {
    journal.sessions.push(chosen.cookie);
    return;
  }
  const left = await openBrowser(dashboardUrl, chosen.cookie).post('/sign-out', {});
  if (left.status === 303) journal.ended.push(chosen.cookie);
}

/** The gate holds the signup; every second sender confirms it with the code of the mail. */
async function signUp({ round, gateUrl, mails }: Site, journal: Journal, n: number): Promise<void> {
  const email = `visitor-${round}-${n}@gmail.com`;
  const response = await fetch(`${gateUrl}/signup`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `81.2.${round % 250}.${n % 250}`,
    },
    body: JSON.stringify({ email }),
  });
  const { verification_url: url = '' } = (await response.json()) as { readonly verification_url?: string };
  if (response.status !== 403 || url === '') throw new Error(`a signup was answered with ${response.status}`);
  // The mail of a killed process is written again minutes later; the signup is held all the same.
  const signup = { email, url, code: (await mailTo(email, mails))?.code ?? '' };
  journal.held.push(signup);
  if (n % 2 > 0 || signup.code === '') return;
  if ((await confirm(signup)) === 201) journal.confirmed.push(signup);
}

/** Waits two seconds at most. */
async function mailTo(email: string, { mails }: SmtpMailbox): Promise<ReceivedMail | undefined> {
  const find = () => mails.find(({ to }) => to.includes(email));
  for (let looks = 0; looks < 400 && !find(); looks++) await new Promise((r) => setTimeout(r, 5));
  return find();
}

export async function confirm({
  url,
  code,
}: {
  readonly url: string;
  readonly code: string;
}): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  await response.text();
  return response.status;
}
