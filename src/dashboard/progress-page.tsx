import { renderToString } from 'preact-render-to-string';
import { Notice } from './components/notice.tsx';
import { type Page, renderPage } from './page.tsx';
import { PageError } from './page-error.ts';
import type { DashboardContext } from './router.ts';

/** Work that takes less time gets a whole page, with its own status. */
const QUIET_MS = 1_000;
/** The time between two lines of progress. */
const EVERY_MS = 500;
const PLACE = '\u2060progress\u2060';

/** The place of the progress in a page, directly inside its main part; its results follow. */
export function ProgressPlace() {
  return <>{PLACE}</>;
}

export interface Progress {
  /** Writes a line of progress. Each line replaces the previous one, without a script. */
  show(words: string): void;
  /**
   * Sends the page or the rest of it. The part before `ProgressPlace` must be equal to the part that was already sent.
   */
  finish(page: Page): void;
}

/**
 * Answers with a page that grows while work runs: its beginning, lines of progress, its end. Work of less than a second is
 * answered with the whole page. After the beginning was sent, an error is shown in the page, and thrown for the log.
 *
 * @param waiting The page without results.
 */
export async function withProgress(
  context: DashboardContext,
  waiting: Page,
  work: (progress: Progress) => Promise<void>,
): Promise<void> {
  const { res } = context;
  let nextAt = performance.now() + QUIET_MS;
  let isBegun = false;
  const begin = () => {
    isBegun = true;
    context.respond = false;
    res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    res.write(split(renderPage(context, waiting)).before);
  };
  try {
    await work({
      show(words) {
        const now = performance.now();
        if (now < nextAt || res.destroyed) return;
        nextAt = now + EVERY_MS;
        if (!isBegun) begin();
        res.write(renderToString(<p class="hint progress-line">{words}</p>));
      },
      finish(page) {
        if (isBegun) res.end(split(renderPage(context, page)).after);
        else sendWithPlace(context, page);
      },
    });
  } catch (error) {
    if (isBegun) {
      const words =
        error instanceof PageError
          ? error.message
          : `Internal error. Quote the request id ${context.state.requestId} when you report it.`;
      const notice = renderToString(
        <Notice kind="error">
          <p>{words}</p>
        </Notice>,
      );
      res.end(notice + split(renderPage(context, waiting)).after);
    }
    throw error;
  }
}

/** Answers with a whole page that has a place for progress. */
export function sendWithPlace(context: DashboardContext, page: Page): void {
  const { before, after } = split(renderPage(context, page));
  context.status = page.status ?? 200;
  context.type = 'text/html; charset=utf-8';
  context.body = before + after;
}

function split(html: string): { readonly before: string; readonly after: string } {
  const at = html.indexOf(PLACE);
  if (at < 0) throw new TypeError('a page with progress has no place for it');
  return { before: html.slice(0, at), after: html.slice(at + PLACE.length) };
}
