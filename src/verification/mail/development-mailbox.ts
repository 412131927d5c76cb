import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import { ProblemError } from '../../http/problem.ts';
import { problemReply, sendReply } from '../../http/reply.ts';
import { html } from '../html.ts';
import { PAGE_POLICY, renderPage } from '../pages/page.ts';
import type { Mail } from './compose-mail.ts';
import type { Mailer } from './mailer.ts';

/** Takes mails where no server is configured, and shows them on a page to whoever develops or tries this. */
export interface DevelopmentMailbox extends Mailer {
  /** Answers `GET /mailbox`, newest mail first. For a loopback listener: the mails open held signups. */
  handle(request: IncomingMessage, response: ServerResponse): void;
}

interface Received {
  readonly at: number;
  readonly mail: Mail;
}

const MAX_MAILS = 100;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Keeps the last hundred mails in memory, and forgets them at the end of the process. */
export function createDevelopmentMailbox(clock: Clock): DevelopmentMailbox {
  const received: Received[] = [];
  return {
    send(mail) {
      received.unshift({ at: clock(), mail });
      received.length = Math.min(received.length, MAX_MAILS);
      return Promise.resolve();
    },
    close() {
      received.length = 0;
    },
    handle(request, response) {
      const problem = findProblem(request);
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

/** A name that a stranger's DNS points at this machine must not read the mails from a page of the stranger's. */
function findProblem({ method, url, headers }: IncomingMessage): ProblemError | null {
  if (!LOOPBACK.test(headers.host ?? '')) {
    return new ProblemError(
      'not_found',
      'The mailbox answers on loopback alone: open it as http://localhost.',
    );
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
