import type { Transporter } from 'nodemailer';
import { parseMailbox } from '../addresses/email-address.ts';
import type { Mail } from './mail.ts';
import { MailError, type Mailer } from './mailer.ts';
import { readSender } from './sender.ts';

/** A server that needs longer for one step counts as unreachable. */
const STEP_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 4;
/** The limit is short, since a person waits for the result of the check. */
const CHECK_TIMEOUT_MS = 3_000;

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
        connectionTimeout: STEP_TIMEOUT_MS,
        greetingTimeout: STEP_TIMEOUT_MS,
        socketTimeout: STEP_TIMEOUT_MS,
        dnsTimeout: STEP_TIMEOUT_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      }),
    );
    return connecting;
  };
  return {
    async send({ recipient, subject, text, html, pictures = [] }: Mail) {
      if (!isMailable(recipient)) throw new MailError(true, 'EADDRESS');
      const address = { name: '', address: recipient };
      try {
        const transport = await connect();
        await transport.sendMail({
          from: sender,
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
        throw new MailError(isFinal, reasonOf(error), { cause: error });
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
  const timeouts = {
    connectionTimeout: CHECK_TIMEOUT_MS,
    greetingTimeout: CHECK_TIMEOUT_MS,
    socketTimeout: CHECK_TIMEOUT_MS,
    dnsTimeout: CHECK_TIMEOUT_MS,
  };
  const transport = nodemailer.createTransport({ url, ...timeouts });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return reasonOf(error);
  } finally {
    transport.close();
  }
}

/**
 * Nodemailer replaces angle brackets inside quotes with spaces, which names another mailbox. Real mailboxes have no
 * angle brackets.
 */
function isMailable(recipient: string): boolean {
  return parseMailbox(recipient) !== null && !/[<>]/.test(recipient);
}

/** Contains only the code and the status, since the text of a server may quote the recipient. */
function reasonOf(error: unknown): string {
  const { responseCode, code = 'ESMTP' } = error as {
    readonly responseCode?: number;
    readonly code?: string;
  };
  return responseCode === undefined ? code : `${code} ${responseCode}`;
}
