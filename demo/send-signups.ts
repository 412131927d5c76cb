import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import type { DecisionFeed, ShownDecision } from './decision-feed.ts';
import type { SampleSignup, Sender } from './senders/senders.ts';

/** What happened to the signups of one sender. */
export interface SendResult {
  readonly sent: number;
  /** The gate forwarded them, and the shop made an account. */
  readonly letIn: number;
  /** The sender must confirm the mailbox first. */
  readonly toVerify: number;
  readonly refused: number;
  /** Let in by monitor mode only. */
  readonly wouldStop: number;
  readonly summary: string;
  /** Pages of the dashboard, or its mailbox. */
  readonly links: readonly { readonly text: string; readonly href: string }[];
}

export interface SendDependencies {
  /** Where the gate listens on this machine. */
  readonly gateUrl: string;
  readonly feed: Pick<DecisionFeed, 'of'>;
}

const ANSWER_MS = 30_000;
const LINE_MS = 15_000;
const LOOK_EVERY_MS = 20;
const HOUR_MS = 3_600_000;

/**
 * Sends the signups through the gate, one after the other as a patient sender does, and says what happened.
 *
 * @throws Error when the gate does not answer.
 */
export async function sendSignups(sender: Sender, { gateUrl, feed }: SendDependencies): Promise<SendResult> {
  const signups = sender.signups();
  const decisions: ShownDecision[] = [];
  let letIn = 0;
  for (const signup of signups) {
    if (await isLetIn(signup, gateUrl)) letIn += 1;
    decisions.push(await decisionOn(signup, feed));
  }
  const count = (action: ShownDecision['action']) => decisions.filter((one) => one.action === action).length;
  if (count('forward') !== letIn) throw new Error('The shop did not answer a signup that the gate let in.');
  const counts = {
    sent: signups.length,
    letIn,
    toVerify: count('verify'),
    refused: count('block'),
    wouldStop: decisions.filter(({ action, wantedAction }) => action === 'forward' && wantedAction !== action)
      .length,
  };
  return { ...counts, summary: summaryOf(counts), links: linksOf(decisions) };
}

/** The shop greets the owner of a new account on this page. */
export const WELCOME = '/welcome';

async function isLetIn({ name, email, address, headers }: SampleSignup, gateUrl: string): Promise<boolean> {
  // Not `fetch`, which adds header fields that no browser sends with a form.
  const response = await request(`${gateUrl}/signup`, {
    method: 'POST',
    signal: AbortSignal.timeout(ANSWER_MS),
    headers: {
      ...Object.fromEntries(headers),
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': address,
    },
    body: new URLSearchParams({ name, email }).toString(),
  });
  await response.body.dump();
  return response.statusCode === 303 && String(response.headers.location).startsWith(WELCOME);
}

/** The line of the decision log arrives a moment before or after the answer. */
async function decisionOn({ email }: SampleSignup, feed: Pick<DecisionFeed, 'of'>): Promise<ShownDecision> {
  for (let waited = 0; waited < LINE_MS; waited += LOOK_EVERY_MS) {
    const decision = feed.of(email);
    if (decision) return decision;
    await wait(LOOK_EVERY_MS);
  }
  throw new Error('The gate did not say how it decided.');
}

type Counts = Pick<SendResult, 'sent' | 'letIn' | 'toVerify' | 'refused' | 'wouldStop'>;

function summaryOf({ sent, letIn, toVerify, refused, wouldStop }: Counts): string {
  if (wouldStop > 0) {
    const stopped = sent === 1 ? 'stopped it' : `stopped ${wouldStop} of them`;
    return `${sent === 1 ? 'Let in' : `${letIn} of ${sent} let in`}: monitor mode stops nothing. Normal mode would have ${stopped}.`;
  }
  if (sent === 1) {
    if (refused === 1) return 'Refused. The shop never saw it.';
    return toVerify === 1
      ? 'Held until the mailbox is confirmed. The shop gets the signup after that.'
      : 'Let in. The shop made the account.';
  }
  if (letIn === sent) return `All ${sent} let in.`;
  const parts = [
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(toVerify > 0 ? [`${toVerify} must confirm a mailbox`] : []),
    ...(letIn > 0 ? [`${letIn} let in`] : []),
  ];
  return `${sent - letIn} of ${sent} stopped: ${parts.join(', ')}.`;
}

function linksOf(decisions: readonly ShownDecision[]): SendResult['links'] {
  const last = decisions.at(-1);
  if (!last) return [];
  const links = [{ text: 'See why', href: `/decisions/${last.id}` }];
  const campaign = campaignOf(decisions);
  if (campaign !== null) links.unshift({ text: 'See the campaign', href: `/campaigns/one?${campaign}` });
  if (decisions.length === 1 && last.action === 'verify')
    links.push({ text: 'Open the mailbox', href: '/mailbox' });
  return links;
}

/** The fewest that the dashboard calls a campaign. */
const SMALLEST = 5;

/** By what most of the decisions have in common: a spelling style that surges, or a network. */
function campaignOf(decisions: readonly ShownDecision[]): URLSearchParams | null {
  const last = decisions.at(-1)?.at ?? 0;
  for (const [by, keyOf] of [
    ['cohort', ({ style }: ShownDecision) => style],
    ['network', ({ network }: ShownDecision) => network],
  ] as const) {
    const counts = new Map<string, number>();
    for (const key of decisions.map(keyOf)) if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
    const [key, count] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? ['', 0];
    if (count >= SMALLEST)
      return new URLSearchParams({ by, key, from: String(last - HOUR_MS), to: String(last + HOUR_MS) });
  }
  return null;
}
