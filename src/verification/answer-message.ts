import { ProblemError } from '../http/problem.ts';
import { messagePage } from './pages/message-page.tsx';
import { type PageRequest, placeOf, sendPage, sendProblem } from './verify-answers.ts';

const MESSAGES = {
  closed: {
    status: 410,
    problem: () =>
      new ProblemError(
        'verification_closed',
        'It was confirmed or dropped, its time ran out, or the URL is not complete.',
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
    problem: () => new ProblemError('cross_site_request', 'Only a page of this site may send this.'),
  },
  unanswered: {
    status: 502,
    problem: () =>
      new ProblemError(
        'bad_gateway',
        'The application may have the signup, but did not answer. Try to sign in.',
      ),
  },
} as const;

/**
 * Says to a person or to a program that there is nothing more to do here.
 *
 * @param headers of the page, name and value in turn.
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
