import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { createPseudonymizer, identify } from '../../src/assessment/identity.ts';
import type { VerificationConfig } from '../../src/config/config.ts';
import { openSmtp } from '../../src/mail/open-smtp.ts';
import { openSqlite } from '../../src/storage/engine/open-sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts';
import type { Correct, CorrectOutcome, CorrectRequest } from '../../src/verification/correct.ts';
import type { ReplayOutcome, ReplayRequest } from '../../src/verification/replay.ts';
import {
  createVerification,
  type HoldResult,
  type Verification,
} from '../../src/verification/verification.ts';
import { UNNAMED_SITE } from '../../src/web/site.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { openDatabase } from '../helpers/empty-database.ts';
import { openSmtpMailbox, type SmtpMailbox } from '../helpers/smtp-mailbox.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { decisionWith, NOON } from '../storage/decisions/decision-fixture.ts';

export const PUBLIC_URL = 'https://app.example';
export const BODY = Buffer.from('email=jane%40example.com&csrf=%00\xff', 'latin1');

export interface TestVerification {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  readonly verification: Verification;
  readonly records: Storage;
  readonly mailbox: SmtpMailbox;
  /** What the app got. */
  readonly replays: ReplayRequest[];
  /** Accepted suggestions. */
  readonly corrections: CorrectRequest[];
  readonly logLines: string[];
  readonly metrics: Metrics;
  now: number;
  /** What becomes of the next replays; the app answers 201 with a cookie unless it says otherwise. */
  outcome: ReplayOutcome | Error;
  /** What becomes of the next accepted suggestions; by default the app answers 201. */
  corrected: CorrectOutcome | Error;
  hold(email?: string, changes?: Sender): Promise<HoldResult>;
  /** Another process exchanges the stored suggestions of two signups. */
  swapSuggestions(one: string, other: string): Promise<void>;
  takePass(email: string, from?: Sender & { readonly cookies?: string }): Promise<boolean>;
  /** Holds and waits for the mail. The path is that of the page, the link's path that of the mail. */
  holdAndMail(
    email?: string,
    changes?: Sender,
  ): Promise<{ path: string; linkPath: string; code: string; requestId: string }>;
}

/** Left out: 203.0.113.7 in English, in Firefox on Windows. */
export interface Sender {
  readonly ip?: string;
  readonly language?: string;
  readonly userAgent?: string | null;
  readonly body?: Buffer;
  readonly suggestion?: string;
}

export const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0';

export interface TestOptions {
  readonly verification?: Partial<VerificationConfig>;
  readonly refuseMail?: (delivery: number) => Error | null;
  readonly folder?: string;
  readonly holdSecrets?: readonly [string, ...string[]];
}

/** A verification on its own: real records, a real SMTP server, a real listener; in place of the app, a note. */
export async function startVerification(
  t: ExecutionContext,
  options: TestOptions = {},
): Promise<TestVerification> {
  const folder = options.folder ?? temporaryFolder(t);
  const mailbox = await openSmtpMailbox(t, options.refuseMail);
  const logLines: string[] = [];
  const log = createLogger({ level: 'debug', format: 'json', write: (line) => void logLines.push(line) });
  const metrics = createMetrics();
  let now = NOON;
  let attempts = 0;
  const clock = () => now;
  const records = await openDatabase(`${folder}/gatekeeper.db`, clock);
  const pseudonymize = createPseudonymizer('a secret of this test');
  const verification = createVerification({
    settings: () => ({
      verification: { ...defaultConfig.verification, ...options.verification },
      review: defaultConfig.review,
      publicUrl: PUBLIC_URL,
      origins: ['https://front.example'],
      site: UNNAMED_SITE,
    }),
    ...{ heldSignups: records.heldSignups, pseudonymize, clock, log },
    mailer: openSmtp({ url: mailbox.url, from: 'Shop <no-reply@app.example>' }),
    holdSecrets: options.holdSecrets ?? ['a hold secret of this test'],
    countryOf: (ip) => (ip.text.startsWith('203.0.113.') ? 'DE' : null),
    metrics: metrics.verification,
  });

  const replay = async (request: ReplayRequest): Promise<ReplayOutcome> => {
    test.replays.push(request);
    if (test.outcome instanceof Error) throw test.outcome;
    if (test.outcome !== 'answered') return test.outcome;
    request.response.writeHead(201, [
      ...['set-cookie', 'session=new', 'location', '/welcome'],
      ...request.answerHeaders,
    ]);
    request.response.end(`sha256 ${hash('sha256', request.held.message.body)}`);
    return 'answered';
  };
  const correct: Correct = async (correction) => {
    test.corrections.push(correction);
    if (test.corrected instanceof Error) throw test.corrected;
    if (test.corrected.kind === 'answered') correction.response.writeHead(201).end(correction.suggestion);
    return test.corrected;
  };
  const server = createServer(
    (request, response) => void verification.handle(request, response, { replay, correct }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
    await verification.close();
    await records.close();
  });

  const test: TestVerification = {
    ...{ url, verification, records, mailbox, replays: [], logLines, metrics, outcome: 'answered' },
    corrections: [],
    corrected: { kind: 'answered', correctedAs: 'corrected-1' },
    get now() {
      return now;
    },
    set now(time) {
      now = time;
    },
    async swapSuggestions(one, other) {
      const connection = openSqlite(`${folder}/gatekeeper.db`);
      for (const [from, to] of [
        [one, 'between'],
        [other, one],
        ['between', other],
      ]) {
        connection.exec('PRAGMA foreign_keys = OFF');
        connection.exec(`UPDATE suggested_addresses SET request_id = '${to}' WHERE request_id = '${from}'`);
      }
      connection.close();
    },
    takePass(email, { ip = '203.0.113.7', userAgent = FIREFOX, cookies } = {}) {
      const [mailbox, address] = [parseMailbox(email), parseIpAddress(ip)];
      if (!address || !mailbox) throw new Error(`not readable: ${email}, ${ip}`);
      const identity = identify({ email: { mailbox }, ip: address, userAgent }, pseudonymize);
      return verification.takePass({ identity, cookies });
    },
    async hold(email = 'jane@example.com', sender = {}) {
      const { ip = '203.0.113.7', language = 'en', userAgent = FIREFOX, body = BODY } = sender;
      attempts++;
      const requestId = `request-${attempts}`;
      const address = parseIpAddress(ip);
      const parsed = parseMailbox(email);
      if (!address || !parsed) throw new Error(`not readable: ${email}, ${ip}`);
      await records.decisions.record(decisionWith({ requestId, accountId: 'shop', processedAt: test.now }));
      return verification.hold({
        requestId,
        mailbox: parsed,
        identity: identify({ email: { mailbox: parsed }, ip: address, userAgent }, pseudonymize),
        ...{ ip: address, userAgent },
        acceptLanguage: language,
        message: {
          ...{ method: 'POST', target: '/signup?from=%2e', body },
          rawHeaders: [
            'Host',
            'app.example',
            'COOKIE',
            'session=old; theme=d\xe4rk',
            'X-Twice',
            '1',
            'x-twice',
            '2',
          ],
        },
        context: { score: 55 },
        suggestion: sender.suggestion ?? null,
      });
    },
    async holdAndMail(email, changes) {
      const before = mailbox.mails.length;
      const result = await test.hold(email, changes);
      if (result.kind !== 'held') throw new Error(`not held: ${result.kind}`);
      const mail = (await mailbox.received(before + 1))[before];
      // Until the server's word has been noted, from which the time of the code counts.
      for (let page = ''; !page.includes('<main>') || page.includes('on its way'); ) {
        page = await (await fetch(`${url}${new URL(result.url).pathname}`)).text();
      }
      const [path, linkPath] = [result.url, mail?.link ?? ''].map((link) => new URL(link).pathname);
      return {
        path: path ?? '',
        linkPath: linkPath ?? '',
        code: mail?.code ?? '',
        requestId: `request-${attempts}`,
      };
    },
  };
  return test;
}

export async function outcomeOf({ records }: TestVerification, requestId: string): Promise<string | null> {
  return (await records.decisions.find(requestId, 'shop'))?.outcome ?? null;
}

export function submit(
  { url }: TestVerification,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${url}${path}`, {
    ...{ method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', headers },
  });
}

export function submitJson({ url }: TestVerification, path: string, content: unknown): Promise<Response> {
  return fetch(`${url}${path}`, {
    ...{ method: 'POST', body: JSON.stringify(content), headers: { 'content-type': 'application/json' } },
  });
}

/** Another six digits than these. */
export function wrongCode(code: string, offset = 1): string {
  return String((Number(code) + offset) % 1_000_000).padStart(6, '0');
}
