import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopbackUrl } from '../config/listen-address.ts';
import { ProblemError } from '../http/problem.ts';
import { problemReply, sendReply } from '../http/reply.ts';
import type { DevelopmentMailbox } from '../mail/development-mailbox.ts';
import { cameDirectly } from '../web/loopback.ts';
import { ownReply, pageReply } from '../web/own-reply.ts';
import { mailboxPage } from './pages/mailbox-page.tsx';

/** The development mailbox and its page. */
export interface ShownMailbox extends DevelopmentMailbox {
  /** Whether the page can be opened at all: every `public_url` is on loopback. */
  isOpen(): boolean;
  /**
   * Answers `GET /mailbox`, newest mail first. The mails confirm held signups, so it answers only requests of this
   * machine without a proxy, and only if every `public_url` is on loopback.
   */
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** @param publicUrls The configured public URLs. Read for every request, since a reload changes them. */
export function showMailbox(
  mailbox: DevelopmentMailbox,
  publicUrls: () => readonly (string | null)[],
): ShownMailbox {
  const isOpen = () => publicUrls().every((url) => url === null || isLoopbackUrl(url));
  return {
    ...mailbox,
    isOpen,
    handle(request, response) {
      const requestId = randomUUID();
      const answered = { request, requestId, origins: [] };
      const problem = findProblem(request, isOpen());
      if (problem) {
        sendReply(request, response, ownReply(problemReply(problem, requestId), answered));
        return;
      }
      const page = mailboxPage(mailbox.received());
      sendReply(request, response, pageReply({ status: 200, page, language: 'en' }, answered));
    },
  };
}

function findProblem(request: IncomingMessage, isOpen: boolean): ProblemError | null {
  const { method, url } = request;
  if (!cameDirectly(request)) {
    const detail = 'The mailbox is only for this machine, without a proxy. Open it as http://localhost.';
    return new ProblemError('not_found', detail);
  }
  if (!isOpen) {
    const detail = 'The mailbox is off because a public_url is not on loopback. Set mail.smtp.';
    return new ProblemError('not_found', detail);
  }
  if (url?.split('?', 1)[0] !== '/mailbox') {
    return new ProblemError('not_found', 'The only page here is /mailbox.');
  }
  if (method === 'GET' || method === 'HEAD') return null;
  return new ProblemError('method_not_allowed', 'The mailbox allows only GET and HEAD.', {
    headers: ['Allow', 'GET, HEAD'],
  });
}
