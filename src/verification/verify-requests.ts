import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { internalError, ProblemError } from '../http/problem.ts';
import { BodyAbortedError } from '../http/read-body.ts';
import { prefersHtml } from '../web/prefers-html.ts';
import { isSameSite } from '../web/same-site.ts';
import { tokenSha256 } from '../web/tokens.ts';
import { endOf } from './answer-ended.ts';
import { answerMessage } from './answer-message.ts';
import { answerAgain, answeredTarget } from './answered-signup.ts';
import { createConfirmation } from './confirm.ts';
import type { Delivery } from './delivery.ts';
import { awayPage } from './pages/message-page.tsx';
import { readVerifyForm } from './read-verify-form.ts';
import { createReporting } from './report.ts';
import { createResending } from './resend.ts';
import { sendStatusPage } from './status-page.ts';
import { orTryAgain } from './storage-failure.ts';
import { isOffer, openSuggestion } from './suggestion.ts';
import { createUseSuggestion } from './use-suggestion.ts';
import { type PageRequest, placeOf, sendOptions, sendPage, sendProblem } from './verify-answers.ts';
import { RETRY_AFTER_SECONDS, type VerifyRequestDependencies, type VerifyStep } from './verify-step.ts';

const PATH = /^(?:https?:\/\/[^/?#]*)?\/\.gatekeeper\/verify\/([^/?#]*)(?:[?#]|$)/i;

/**
 * The pages below `/.gatekeeper/verify/`. GET and HEAD change nothing, since mail scanners open links. A POST from
 * another site is refused. Forged, truncated, expired and used tokens all get the same answer after one look-up.
 */
export function createVerifyRequests(dependencies: VerifyRequestDependencies) {
  const { settings, heldSignups, sealer, clock, log } = dependencies;
  const confirmation = createConfirmation(dependencies);
  const resend = createResending(dependencies);
  const report = createReporting(dependencies);
  const useSuggestion = createUseSuggestion(dependencies);

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    delivery: Delivery,
  ): Promise<void> {
    const { publicUrl, origins, site } = settings();
    const pageRequest: PageRequest = {
      request,
      response,
      requestId: randomUUID(),
      site,
      publicUrl: publicUrl ?? '',
      origins,
    };
    try {
      const [, token] = PATH.exec(request.url ?? '') ?? [];
      if (token === undefined || publicUrl === null) {
        throw new ProblemError('not_found', 'This page does not exist.');
      }
      await answer(pageRequest, token, delivery);
    } catch (error) {
      if (!(error instanceof BodyAbortedError)) answerFailure(pageRequest, error);
    }
  }

  async function answer(pageRequest: PageRequest, token: string, delivery: Delivery): Promise<void> {
    const { request, response } = pageRequest;
    const { method } = request;
    if (method === 'OPTIONS') {
      sendOptions(pageRequest, ALLOWED);
      return;
    }
    if (method === 'GET' || method === 'HEAD') {
      await show(pageRequest, token);
      return;
    }
    if (method !== 'POST') {
      throw new ProblemError('method_not_allowed', `Allowed methods: ${ALLOWED}.`, {
        headers: ['Allow', ALLOWED],
      });
    }
    const target = answeredTarget(request.headers.cookie, pageRequest.publicUrl);
    if (target !== null) {
      await answerAgain(pageRequest, target);
      return;
    }
    const form = await readVerifyForm(request, response);
    if (!isSameSite(request, pageRequest.publicUrl, pageRequest.origins)) {
      answerMessage(pageRequest, form.json, 'crossSite');
      return;
    }
    const now = clock();
    const signup = await orTryAgain(() => heldSignups.find(tokenSha256(token), now));
    const isUsed = form.action === 'use_suggestion' && signup !== null && isOffer(signup);
    const step: VerifyStep | null = signup && { ...pageRequest, token, signup, form, now };
    if (!step || (step.signup.state !== 'waiting' && !isUsed)) {
      const isAnswered = step !== null && form.action === 'confirm' && (await confirmation.repeat(step));
      if (!isAnswered) answerMessage(pageRequest, form.json, endOf(signup));
      return;
    }
    if (form.action === 'resend') await resend(step);
    else if (form.action === 'report') await report(step);
    else if (form.action === 'use_suggestion') await useSuggestion(step, delivery.correct);
    else await confirmation.confirm(step, delivery.replay);
  }

  async function show(pageRequest: PageRequest, token: string): Promise<void> {
    const now = clock();
    const signup = await orTryAgain(() => heldSignups.find(tokenSha256(token), now));
    if (signup && (signup.state === 'waiting' || isOffer(signup))) {
      const { verification } = settings();
      sendStatusPage(pageRequest, { signup, now, verification, suggestion: openSuggestion(sealer, signup) });
    } else {
      answerMessage(pageRequest, false, endOf(signup));
    }
  }

  /** Any error but a `ProblemError` becomes an internal error; only the log gets its cause. */
  function answerFailure(pageRequest: PageRequest, error: unknown): void {
    const { requestId, response } = pageRequest;
    if (response.headersSent) {
      response.destroy();
      log.error({ err: error, request_id: requestId }, 'an answer of a verification page was cut off');
      return;
    }
    const problem = error instanceof ProblemError ? error : internalError();
    const cause = error instanceof ProblemError ? error.cause : error;
    if (cause !== undefined) {
      log.error({ err: cause, request_id: requestId }, 'a request to a verification page failed');
    }
    if (problem.code === 'overloaded' && prefersHtml(pageRequest.request.headers)) {
      const { status } = problem;
      const page = awayPage(placeOf(pageRequest));
      sendPage(pageRequest, { status, page, retryAfterSeconds: RETRY_AFTER_SECONDS });
    } else {
      sendProblem(pageRequest, problem);
    }
  }

  return { handle };
}

const ALLOWED = 'GET, HEAD, POST, OPTIONS';
