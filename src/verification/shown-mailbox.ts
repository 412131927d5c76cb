import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProblemError } from '../http/problem.ts';
import { problemReply, sendReply } from '../http/reply.ts';
import type { DevelopmentMailbox } from '../mail/development-mailbox.ts';
import { cameDirectly, isLoopbackUrl } from '../web/loopback.ts';
import { ownReply, pageReply } from '../web/own-reply.ts';
import { PAGE_POLICY } from '../web/page.tsx';
import { mailboxPage } from './pages/mailbox-page.tsx';

/** The development mailbox and its page. */
export interface ShownMailbox extends DevelopmentMailbox {
  /**
   * Answers `GET /mailbox`, newest mail first: to requests made on this machine, past no proxy, and only where no
   * `public_url` says that others reach it. The mails open held signups.
   */
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** @param publicUrls URLs under which others may reach this machine. Read for every request: a reload changes them. */
export function showMailbox(
  mailbox: DevelopmentMailbox,
  publicUrls: () => readonly (string | null)[],
): ShownMailbox {
  return {
    ...mailbox,
    handle(request, response) {
      const requestId = randomUUID();
      const problem = findProblem(request, publicUrls());
      if (problem) {
        sendReply(request, response, ownReply(problemReply(problem, requestId), requestId));
        return;
      }
      const page = { html: mailboxPage(mailbox.received()), policy: PAGE_POLICY };
      sendReply(request, response, pageReply({ status: 200, page, language: 'en' }, requestId));
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
