import { ProblemError } from '../http/problem.ts';
import { messagePage } from './pages/message-page.tsx';
import { type PageRequest, placeOf, sendPage, sendProblem } from './verify-answers.ts';

const MESSAGES = {
  closed: {
    status: 410,
    problem: () =>
      new ProblemError(
        'verification_closed',
        'The signup was confirmed, was dropped or has expired, or the URL is not complete.',
      ),
  },
  locked: {
    status: 403,
    problem: () =>
      new ProblemError('verification_locked', 'Sign up again to get a new code.', {
        members: { tries_left: 0 },
      }),
  },
  crossSite: {
    status: 403,
    problem: () => new ProblemError('cross_site_request', 'Only pages of this site may send this form.'),
  },
  unanswered: {
    status: 502,
    problem: () =>
      new ProblemError(
        'bad_gateway',
        'The application did not answer, but may have received the signup. Try to sign in.',
      ),
  },
} as const;

/**
 * Answers a browser with a page, and a program with a problem document, when the page of a signup no longer has a form.
 * @param headers The header fields of the page: name, value, name, value, …
 */
export function answerMessage(
  pageRequest: PageRequest,
  json: boolean,
  message: keyof typeof MESSAGES,
  headers: readonly string[] = [],
): void {
  const { status, problem } = MESSAGES[message];
  if (json) sendProblem(pageRequest, problem());
  else sendPage(pageRequest, { status, page: messagePage(placeOf(pageRequest), message), headers });
}
