import type { Transporter } from 'nodemailer';
import { parseMailbox } from '../addresses/mailbox.ts';
import type { Mail } from './mail.ts';
import { MailError, type Mailer } from './mailer.ts';

/** A server that takes longer for one step is as good as away. */
const STEP_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 4;

/**
 * Sends mails over SMTP, on connections that are kept for a while. `smtps:` speaks TLS from the start, `smtp:` changes
 * over to it where the server offers that.
 *
 * @param options.from The sender of every mail, with or without a name.
 */
export function openSmtp({ url, from }: { readonly url: string; readonly from: string }): Mailer {
  let connecting: Promise<Transporter> | null = null;
  /** With the first mail: most starts send none, and nodemailer takes as long to load as a tenth of all else. */
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
    async send({ recipient, subject, text, html }: Mail) {
      if (!isMailable(recipient)) throw new MailError(true, 'EADDRESS');
      const address = { name: '', address: recipient };
      try {
        const transport = await connect();
        await transport.sendMail({
          from,
          // As objects, here and in the envelope: a string would be parsed as a list, of which a quoted local part or a
          // line break could make several.
          envelope: { from, to: [address] },
          to: address,
          subject,
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        });
      } catch (error) {
        const { responseCode, code } = error as { readonly responseCode?: number; readonly code?: string };
        // RFC 5321 section 4.2.1: 5xx is final. A login that fails is the operator's to mend, and may be in a moment.
        const isFinal = code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500;
        throw new MailError(isFinal, reasonOf(error), { cause: error });
      }
    },
    close: () => void connecting?.then((transport) => transport.close()),
  };
}

/** nodemailer turns angle brackets inside quotes into spaces, which makes another mailbox. Real ones have none. */
function isMailable(recipient: string): boolean {
  return parseMailbox(recipient) !== null && !/[<>]/.test(recipient);
}

/** Code and status alone: a server's words quote the recipient. */
function reasonOf(error: unknown): string {
  const { responseCode, code = 'ESMTP' } = error as {
    readonly responseCode?: number;
    readonly code?: string;
  };
  return responseCode === undefined ? code : `${code} ${responseCode}`;
}
