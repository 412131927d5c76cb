import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import { ProblemError } from '../../http/problem.ts';
import { problemReply, sendReply } from '../../http/reply.ts';
import type { Mail } from '../../mail/mail.ts';
import { MailError, type Mailer } from '../../mail/mailer.ts';
import { html } from '../../web/html.ts';
import { cameDirectly, isLoopbackUrl } from '../../web/loopback.ts';
import { PAGE_POLICY, renderPage } from '../../web/page.ts';

/** Takes mails where no server is configured, and shows them on a page to whoever develops or tries this. */
export interface DevelopmentMailbox extends Mailer {
  /**
   * Answers `GET /mailbox`, newest mail first: to requests made on this machine, past no proxy, and only where no
   * `public_url` says that others reach it. The mails open held signups.
   */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Takes the mails of the dashboard's accounts, which are kept apart. */
  readonly forAccounts: AccountMailer;
}

/**
 * A link in a mail of an account signs in as its owner. Until there is an operator, such mails are shown like others;
 * from then on none is taken, and what was taken is forgotten.
 */
export interface AccountMailer extends Mailer {
  /** There is an operator now. */
  stop(): void;
}

export interface DevelopmentMailboxOptions {
  /** Under which others may reach this machine. Read for every request: a reload changes them. */
  readonly publicUrls?: () => readonly (string | null)[];
}

interface Received {
  readonly at: number;
  readonly mail: Mail;
  readonly isOfAccount: boolean;
}

const MAX_MAILS = 100;

/** Keeps the last hundred mails in memory, and forgets them at the end of the process. */
export function createDevelopmentMailbox(
  clock: Clock,
  { publicUrls = () => [] }: DevelopmentMailboxOptions = {},
): DevelopmentMailbox {
  let received: Received[] = [];
  let takesAccountMails = true;

  function take(mail: Mail, isOfAccount: boolean): void {
    received = [{ at: clock(), mail, isOfAccount }, ...received].slice(0, MAX_MAILS);
  }

  return {
    forAccounts: {
      async send(mail) {
        if (!takesAccountMails) {
          throw new MailError(true, 'mail.smtp is not set, and there is an operator');
        }
        take(mail, true);
      },
      stop() {
        takesAccountMails = false;
        received = received.filter(({ isOfAccount }) => !isOfAccount);
      },
      close() {},
    },
    async send(mail) {
      take(mail, false);
    },
    close() {
      received = [];
    },
    handle(request, response) {
      const problem = findProblem(request, publicUrls());
      if (problem) {
        sendReply(request, response, problemReply(problem, randomUUID()));
        return;
      }
      sendReply(request, response, {
        status: 200,
        headers: [
          ...['Content-Type', 'text/html; charset=utf-8', 'Content-Security-Policy', PAGE_POLICY],
          ...['Cache-Control', 'no-store', 'X-Frame-Options', 'DENY'],
          ...['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'],
        ],
        body: mailboxPage(received),
      });
    },
  };
}

function findProblem(request: IncomingMessage, publicUrls: readonly (string | null)[]): ProblemError | null {
  const { method, url } = request;
  if (!cameDirectly(request)) {
    const detail = 'The mailbox is for this machine alone, past no proxy: open it as http://localhost.';
    return new ProblemError('not_found', detail);
  }
  if (publicUrls.some((publicUrl) => publicUrl !== null && !isLoopbackUrl(publicUrl))) {
    const detail = 'There is no mailbox where a public_url is not on loopback: set mail.smtp.';
    return new ProblemError('not_found', detail);
  }
  if (url?.split('?', 1)[0] !== '/mailbox') {
    return new ProblemError('not_found', 'There is only /mailbox here.');
  }
  if (method === 'GET' || method === 'HEAD') return null;
  return new ProblemError('method_not_allowed', 'The mailbox is only read.', {
    headers: ['Allow', 'GET, HEAD'],
  });
}

function mailboxPage(received: readonly Received[]): string {
  const mails = received.map(({ at, mail }) => {
    const [link] = /https?:\/\/\S+/.exec(mail.text) ?? [];
    return html`<article>
<h2>${mail.subject}</h2>
<p>To ${mail.recipient}, <time datetime="${new Date(at).toISOString()}">${new Date(at).toISOString()}</time></p>
${mail.text.split('\n\n').map((paragraph) => html`<p>${paragraph}</p>`)}
${link === undefined ? null : html`<p><a href="${link}">Open the link</a></p>`}
</article>
`;
  });
  return renderPage({
    language: 'en',
    title: 'Development mailbox',
    content: html`<h1>Development mailbox</h1>
<p>No mail server is configured (mail.smtp), so mails are shown here and sent to nobody.</p>
${mails.length === 0 ? html`<p>There is no mail yet.</p>` : mails}`,
  });
}
