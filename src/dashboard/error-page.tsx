import { sendPage } from './page.tsx';
import type { PageError } from './page-error.ts';
import type { DashboardContext } from './router.ts';

const TITLES: Readonly<Record<PageError['status'], string>> = {
  400: 'That cannot be read',
  403: 'That was refused',
  404: 'There is nothing here',
  405: 'That cannot be done here',
  409: 'That does not fit',
  413: 'That is too much',
  415: 'That cannot be read',
  421: 'This is not the address of the dashboard',
  429: 'Too many tries',
  500: 'Something went wrong here',
  503: 'There is too much to do right now',
};

/** A sentence that says what to do, and the id under which the log knows more. */
export function sendErrorPage(
  context: DashboardContext,
  { status, message, retryAfterSeconds }: PageError,
): void {
  if (retryAfterSeconds !== null) context.set('Retry-After', String(retryAfterSeconds));
  const title = TITLES[status];
  sendPage(context, {
    title,
    status,
    content: (
      <div class="narrow">
        <h1>{title}</h1>
        <p>{message}</p>
        <p class="hint">
          Request <code>{context.state.requestId}</code>
        </p>
        <p>
          <a href="/">To the first page</a>
        </p>
      </div>
    ),
  });
}
