import { nameOfPattern } from '../assessment/pattern.ts';
import { REASON_PHRASES } from '../assessment/reason-phrases.ts';
import { isReasonCode } from '../assessment/reasons.ts';
import { traitOfStyle } from '../assessment/spelling-style.ts';
import type { Config } from '../config/config.ts';
import type { AttackEvent } from '../storage/attacks/attack-event.ts';
import type { Incident, IncidentKind } from '../storage/incidents/incident.ts';
import { attackPath } from './attack-path.ts';
import { incidentPath } from './incident-path.ts';

export type AlertConfig = Config['alerts'][number];

/** A message about an attack or an incident that began. */
export interface AlertMessage {
  /** The id of the message. It is the same for every attempt and every receiver. */
  readonly id: string;
  /** The type of the message for webhooks, such as `attack.began`. */
  readonly type: string;
  readonly subject: string;
  /** The message in plain text, with the link. */
  readonly text: string;
  readonly link: string;
  /** The facts in numbers, for webhooks. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: number;
}

const TYPES: Readonly<Record<IncidentKind, string>> = {
  refusals_jump: 'refusals.jumped',
  degraded_jump: 'degraded.jumped',
  feeds_old: 'feeds.old',
  data_old: 'data.old',
  unjudged_signups: 'signups.unjudged',
};

/** The subject in `alerts[].about` for each kind of incident. A receiver can leave subjects out. */
const ABOUT: Readonly<Record<IncidentKind, AlertConfig['about'][number]>> = {
  refusals_jump: 'refusals',
  degraded_jump: 'degraded',
  feeds_old: 'data',
  data_old: 'data',
  unjudged_signups: 'unjudged',
};

export function wantsIncident({ about }: AlertConfig, { kind }: Incident): boolean {
  return about.includes(ABOUT[kind]);
}

/** @param dashboardUrl The URL of the dashboard without a path. */
export function describeAttackAlert(event: AttackEvent, dashboardUrl: string): AlertMessage {
  const { id, kind, key, name, attempts, mailboxes, stopped, beganAt, endedAt } = event;
  const link = `${dashboardUrl}${attackPath(event)}`;
  const subject = `Attack on signups: ${traitOf(event)}`;
  const share = Math.round((100 * stopped) / Math.max(1, attempts));
  return {
    id,
    type: 'attack.began',
    subject,
    link,
    at: endedAt,
    text: `${subject}\nSo far ${attempts} signups since ${timeOf(beganAt)}, ${share} % stopped.\n${link}`,
    data: {
      id,
      kind,
      key,
      name,
      attempts,
      mailboxes,
      stopped,
      began_at: new Date(beganAt).toISOString(),
      ended_at: new Date(endedAt).toISOString(),
    },
  };
}

/** @param dashboardUrl The URL of the dashboard without a path. */
export function describeIncidentAlert(incident: Incident, dashboardUrl: string): AlertMessage {
  const { id, kind, key, facts, beganAt, seenAt } = incident;
  const [subject, body] = wordsFor(incident);
  const link = `${dashboardUrl}${incidentPath(incident)}`;
  return {
    id,
    type: TYPES[kind],
    subject,
    link,
    at: seenAt,
    text: `${subject}\n${body}\n${link}`,
    data: { id, key, ...facts, began_at: new Date(beganAt).toISOString() },
  };
}

/** A message to test a receiver. */
export function describeTestAlert(
  { id, now }: { readonly id: string; readonly now: number },
  dashboardUrl: string,
) {
  const subject = 'Test message of Gatekeeper';
  const link = `${dashboardUrl}/overview`;
  const text = `${subject}\nThis receiver gets a message when an attack begins or the site needs attention.\n${link}`;
  return { id, type: 'test', subject, text, link, at: now, data: { id } } satisfies AlertMessage;
}

/** The subject and one sentence. */
function wordsFor({ kind, key, facts, beganAt }: Incident): readonly [subject: string, body: string] {
  const number = (name: string) => Number(facts[name] ?? 0);
  const names = plain(String(facts.names ?? ''));
  if (kind === 'refusals_jump' || kind === 'degraded_jump') {
    const [part, whole] = [number('part'), number('whole')];
    const usual = `Usual here: ${percent(number('usual'))}.`;
    const counted = `${part} of ${whole} signups (${percent(part / Math.max(1, whole))}) since ${timeOf(number('since'))}`;
    return kind === 'refusals_jump'
      ? [
          'Far more signups are refused than usual',
          `Refused: ${counted}. ${usual} Known attacks are not counted.`,
        ]
      : ['Far more degraded decisions than usual', `Decisions without some facts: ${counted}. ${usual}`];
  }
  if (kind === 'feeds_old')
    return [
      'Feeds are old',
      `The downloads of these feeds fail: ${names}. New throwaway domains and networks are missed.`,
    ];
  if (kind === 'data_old')
    return [
      'Built-in data is old',
      `Older than ${number('days')} days: ${names}. Install the newest release.`,
    ];
  return [
    'Signups are not judged',
    `${number('count')} requests to ${plain(key)} since ${timeOf(beganAt)} look like signups, and no route matches them.`,
  ];
}

/** The values come from senders. Characters that a chat reads as markup or as a mention are removed. */
function traitOf({ kind, key, name }: AttackEvent): string {
  if (kind === 'template') return name === null ? 'one pattern' : `the pattern ${plain(nameOfPattern(name))}`;
  if (kind === 'domain') return `the domain ${plain(key)}`;
  if (kind === 'network') return `the network ${plain(key)}`;
  if (kind === 'cohort') return plain(traitOfStyle(key));
  return isReasonCode(key) ? REASON_PHRASES[key] : plain(key);
}

function plain(text: string): string {
  return text.replace(/[^\p{L}\p{N}._#~:/, -]/gu, '');
}

function percent(share: number): string {
  return `${(100 * share).toLocaleString('en', { maximumFractionDigits: share < 0.1 ? 1 : 0 })} %`;
}

function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
