import { LRUCache } from 'lru-cache';
import type { Attempt, FormVisit } from '../../assessment/attempt.ts';
import type { Examination, Finding, Processor } from '../../assessment/processor.ts';
import type { CurrentDatasets } from '../../datasets/datasets.ts';
import { findHeaderEvidence } from './header-evidence.ts';
import { readUserAgent, type UserAgentReading } from './read-user-agent.ts';
import { isImpossiblyNew, isOutdated } from './release-age.ts';

/** The number of cached user agents, about 1 KB each. A site receives some thousand different user agents a day. */
const CACHE_ENTRIES = 4096;

/** Longer user agents are parsed each time (20 µs), so a flood of them cannot fill the memory. */
const CACHED_LENGTH = 512;

/** A browser always sends a user agent, but a client of the API may have received no user agent. */
const MISSING_AT_GATE_BASE = 20;

const NOTHING_SENT: Examination = {
  classification: 'missing_user_agent',
  evidence: null,
  findings: [],
  incomplete: null,
};
const NOTHING_SENT_TO_GATE: Examination = { ...NOTHING_SENT, base: MISSING_AT_GATE_BASE };

/**
 * Examines the user agent and, at the gate, the other headers too. The age of the browser is computed at the time of
 * the attempt, so that a replayed signup gets the same result.
 */
export function createDeviceProcessor({ datasets }: { readonly datasets: CurrentDatasets }): Processor {
  const readings = new LRUCache<string, UserAgentReading>({ max: CACHE_ENTRIES });
  let device = datasets.current.device;

  function read(text: string): UserAgentReading {
    if (datasets.current.device !== device) {
      device = datasets.current.device;
      readings.clear();
    }
    const known = readings.get(text);
    if (known) return known;
    const reading = readUserAgent(text, device);
    if (text.length <= CACHED_LENGTH) readings.set(text, reading);
    return reading;
  }

  function examine(attempt: Attempt): Examination | Promise<Examination> {
    const { formVisit = null } = attempt;
    if (formVisit === null) return examineHead(attempt);
    if (formVisit instanceof Promise) {
      return formVisit.then((visit) => withVisit(examineHead(attempt), visit));
    }
    return withVisit(examineHead(attempt), formVisit);
  }

  function examineHead(attempt: Attempt): Examination {
    const { userAgent, headers, receivedAt } = attempt;
    if (userAgent === null) return attempt.door === 'gate' ? NOTHING_SENT_TO_GATE : NOTHING_SENT;
    const reading = read(userAgent);
    const aged = ageFinding(reading, Math.max(receivedAt, 0), device.asOf);
    const contradicted = headers && isBrowser(reading) ? findHeaderEvidence(headers, reading.claimed) : null;
    return {
      classification: reading.classification,
      evidence: reading.evidence,
      fields: reading.fields,
      findings: withFindings(reading.findings, aged, contradicted),
      incomplete: null,
    };
  }

  return { factor: 'user_agent', examine };
}

function ageFinding({ release }: UserAgentReading, now: number, asOf: number): Finding | null {
  if (!release) return null;
  if (isImpossiblyNew(release, Math.max(now, asOf))) {
    return {
      code: 'malformed_user_agent',
      evidence: `${release.name} does not exist yet`,
      fields: release.fields,
    };
  }
  if (!isOutdated(release, now)) return null;
  const replaced = new Date(release.replacedAt).toISOString().slice(0, 7);
  return {
    code: 'outdated_browser',
    evidence: `${release.name}, replaced in ${replaced}`,
    fields: { ...release.fields, replaced },
  };
}

/**
 * A browser that signs up has loaded the page with the form before; an application has its own form. A missing visit is
 * only a weak sign: the page may come from a cache, or the sender's IP address may have changed.
 */
function withVisit(examination: Examination, visit: FormVisit | null): Examination {
  if (visit === null) return examination;
  const { secondsBefore, knownHours } = visit;
  if (secondsBefore !== null) {
    const visited = `the page with the form was visited ${secondsBefore} s before`;
    return {
      ...examination,
      evidence: examination.evidence === null ? visited : `${examination.evidence}, ${visited}`,
      fields: { ...examination.fields, form_visited_before: secondsBefore },
    };
  }
  if (examination.classification === 'mobile_app') return examination;
  const absent: Finding = {
    code: 'no_form_visit',
    evidence: `no visit of the page with the form in the last ${knownHours === 1 ? 'hour' : `${knownHours} hours`}`,
    fields: { form_visit_hours: knownHours },
    shared: true,
  };
  return { ...examination, findings: [...examination.findings, absent] };
}

/** Applications use libraries and web views that send fewer headers, and programs are detected already. */
function isBrowser({ classification, findings }: UserAgentReading): boolean {
  return classification !== 'mobile_app' && findings.length === 0;
}

function withFindings(
  own: readonly Finding[],
  aged: Finding | null,
  contradicted: Finding | null,
): readonly Finding[] {
  if (aged === null && contradicted === null) return own;
  return [...own, ...(aged ? [aged] : []), ...(contradicted ? [contradicted] : [])];
}
