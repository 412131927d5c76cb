import { domainToASCII } from 'node:url';
import type { Transporter } from 'nodemailer';
import { parseMailbox } from '../addresses/email-address.ts';
import { isLoopbackHost } from '../config/listen-address.ts';
import type { Mail } from './mail.ts';
import { MailError, type Mailer } from './mailer.ts';
import { readSender } from './sender.ts';

/**
 * From the look-up of the name to TLS. Many servers keep new clients waiting: for a name in the DNS that does not
 * answer, or to make programs that send spam give up (20 s are usual).
 */
const CONNECT_TIMEOUT_MS = 30_000;
/**
 * A try to send a mail. A server that examines mails before it accepts them often needs more than 10 s after the last
 * byte, and a mail that is given up then arrives all the same. RFC 5321 section 4.5.3.2 asks for minutes, but a person
 * waits.
 */
const TRY_TIMEOUT_MS = 90_000;
/** For the next mail. The end is a QUIT, since servers log other ends as errors. */
const IDLE_MS = 10_000;
const MAX_CONNECTIONS = 4;

/**
 * Sends mails over SMTP, and keeps its connections open for a while. `smtps:` uses TLS from the start; `smtp:` changes
 * to TLS when the server offers it (STARTTLS).
 *
 * @param options.from The sender of every mail, with or without a name.
 */
export function openSmtp({ url, from }: { readonly url: string; readonly from: string }): Mailer {
  const sender = readSender(from);
  let connecting: Promise<Transporter> | null = null;
  /**
   * Loaded with the first mail, since most starts send no mail. To load nodemailer takes a tenth of the time of all
   * other modules.
   */
  const connect = (): Promise<Transporter> => {
    connecting ??= import('nodemailer').then(({ default: nodemailer }) =>
      nodemailer.createTransport({
        url,
        pool: true,
        maxConnections: MAX_CONNECTIONS,
        idleTimeout: IDLE_MS,
        ...sessionOptions(url),
        disableFileAccess: true,
        disableUrlAccess: true,
      }),
    );
    return connecting;
  };
  return {
    async send({ id, recipient, subject, text, html, pictures = [] }: Mail) {
      if (!isMailable(recipient)) throw new MailError(true, 'EADDRESS', { isAboutMail: true });
      const address = { name: '', address: recipient };
      try {
        const transport = await connect();
        await transport.sendMail({
          signal: AbortSignal.timeout(TRY_TIMEOUT_MS),
          from: sender,
          ...(id !== undefined && { messageId: messageId(id, sender.address) }),
          // Mailboxes are passed as objects, here and in the envelope. Nodemailer parses a string as a list, in which a
          // quoted local part or a line break could add a second address.
          envelope: { from: sender.address, to: [address] },
          to: address,
          subject,
          text,
          html,
          attachments: pictures.map(({ id, type, bytes }) => ({
            cid: id,
            contentType: type,
            content: bytes,
            contentDisposition: 'inline',
          })),
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        });
      } catch (error) {
        const { responseCode, code } = error as { readonly responseCode?: number; readonly code?: string };
        // RFC 5321 section 4.2.1: 5xx is final. A failed login is not final, since the operator can repair it.
        const isFinal = code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500;
        const isAboutMail =
          responseCode !== undefined && (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== 421;
        throw new MailError(isFinal, reasonOf(error), { cause: error, isAboutMail });
      }
    },
    close: () => void connecting?.then((transport) => transport.close()),
  };
}

/**
 * Connects and signs in, but sends no mail. Returns the code of the problem; null when the server accepts the login.
 */
export async function checkSmtp(url: string): Promise<string | null> {
  const { default: nodemailer } = await import('nodemailer');
  const transport = nodemailer.createTransport({ url, ...sessionOptions(url) });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return reasonOf(error);
  } finally {
    transport.close();
  }
}

/** Parameters of the URL, such as `?tls.rejectUnauthorized=true`, take precedence over these options. */
function sessionOptions(url: string) {
  return {
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: TRY_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    // Mail servers come with a certificate that they signed themselves, for another name than localhost. No other machine
    // can listen between this process and a server on loopback.
    ...(isLoopbackHost(new URL(url).hostname.replace(/^\[|\]$/g, '')) && {
      tls: { rejectUnauthorized: false },
    }),
  };
}

/**
 * The same at every try: receivers that get a mail twice show it once. The domain is that of the sender, in ASCII:
 * servers without SMTPUTF8 refuse other letters in a header (RFC 6532 section 1).
 */
function messageId(id: string, sender: string): string {
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  return `<${id}@${domainToASCII(domain) || domain}>`;
}

/**
 * Nodemailer replaces angle brackets inside quotes with spaces, which names another mailbox. Real mailboxes have no
 * angle brackets.
 */
function isMailable(recipient: string): boolean {
  return parseMailbox(recipient) !== null && !/[<>]/.test(recipient);
}

/**
 * Contains only codes and the status, since the text of a server may quote the recipient. A code of Node.js, such as
 * ECONNREFUSED or DEPTH_ZERO_SELF_SIGNED_CERT, says more than the one of nodemailer.
 */
function reasonOf(error: unknown): string {
  const {
    responseCode,
    code = 'ESMTP',
    originalCode,
  } = error as {
    readonly responseCode?: number;
    readonly code?: string;
    readonly originalCode?: unknown;
  };
  if (responseCode !== undefined) return `${code} ${responseCode}`;
  if (code === 'EABORT') return 'ETIMEDOUT';
  return typeof originalCode === 'string' && /^[A-Z\d_]+$/.test(originalCode)
    ? `${code} ${originalCode}`
    : code;
}
