import { sendPage } from './page.tsx';
import { EarlierSessionError, type PageError } from './page-error.ts';
import type { DashboardContext } from './router.ts';

const TITLES: Readonly<Record<PageError['status'], string>> = {
  400: 'The request cannot be read',
  403: 'The request was refused',
  404: 'Page not found',
  405: 'Method not allowed',
  409: 'The change is not possible',
  413: 'The request is too large',
  415: 'The request cannot be read',
  421: 'Wrong address',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'The server is busy',
};

/** A page with the message of the error and the request id, which is also in the log. */
export function sendErrorPage(context: DashboardContext, error: PageError): void {
  const { status, message, retryAfterSeconds } = error;
  if (retryAfterSeconds !== null) context.set('Retry-After', String(retryAfterSeconds));
  const title = TITLES[status];
  sendPage(context, {
    title,
    status,
    content: (
      <div class="narrow">
        <h1>{title}</h1>
        <p>{message}</p>
        {error instanceof EarlierSessionError && (
          <p>
            <a class="button" href={error.formPath} data-unsaved>
              Open the form again
            </a>
          </p>
        )}
        <p class="hint">
          Request <code>{context.state.requestId}</code>
        </p>
        <p>
          <a href="/">Go to the start page</a>
        </p>
      </div>
    ),
  });
}
