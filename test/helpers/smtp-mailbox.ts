import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { SMTPServer } from 'smtp-server';

/** A mail as an SMTP server got it. */
export interface ReceivedMail {
  /** Of the envelope. */
  readonly from: string;
  readonly to: readonly string[];
  /** Everything, as it came. */
  readonly raw: string;
  readonly text: string;
  readonly html: string;
  readonly subject: string;
  readonly code: string;
  readonly link: string;
}

export interface SmtpMailbox {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Waits until so many have come. */
  received(count: number): Promise<readonly ReceivedMail[]>;
}

/**
 * A real SMTP server on loopback, closed with the test.
 *
 * @param refuse Called for each mail: what it throws is what the sender is told.
 * @param hasTls Offers STARTTLS with a certificate that no authority signed, as Debian installs Postfix and Exim.
 */
export async function openSmtpMailbox(
  t: ExecutionContext,
  refuse: (delivery: number) => Error | null = () => null,
  { hasTls = false } = {},
): Promise<SmtpMailbox> {
  const mails: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  let deliveries = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: hasTls ? [] : ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refusal = refuse(++deliveries);
        if (refusal) {
          done(refusal);
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        mails.push(
          read(
            Buffer.concat(chunks).toString('utf8'),
            from,
            rcptTo.map(({ address }) => address),
          ),
        );
        done();
        for (const look of [...waiting]) look();
      });
    },
  });
  server.on('error', () => {
    // A client that goes away in the middle of a conversation; the test looks at what came through.
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    received: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (mails.length < count) return;
          waiting.delete(look);
          resolve(mails);
        };
        waiting.add(look);
        look();
      }),
  };
}

function read(raw: string, from: string, to: readonly string[]): ReceivedMail {
  const text = partOf(raw, 'text/plain');
  return {
    ...{ from, to, raw, text, html: partOf(raw, 'text/html') },
    subject: decodeWords(/^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1] ?? ''),
    code: /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0] ?? '',
    link: /https?:\S+/.exec(text)?.[0] ?? '',
  };
}

function partOf(raw: string, type: string): string {
  const part = raw.split(/\r\n--[^\r\n]+/).find((one) => one.includes(`Content-Type: ${type}`)) ?? '';
  const end = part.indexOf('\r\n\r\n');
  const [head, body] = [part.slice(0, end), part.slice(end + 4)];
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  return /transfer-encoding: quoted-printable/i.test(head) ? decodeQuoted(body.replace(/=\r\n/g, '')) : body;
}

/** RFC 2047, as far as nodemailer writes it. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuoted(word.replaceAll('_', ' ')),
    );
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([\dA-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
