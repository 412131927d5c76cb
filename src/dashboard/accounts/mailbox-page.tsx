import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';

/** The answer to everybody who asked for a mail, whether one goes out or not. */
export function sendLookIntoMailboxPage(
  context: DashboardContext,
  { hint, askAgain }: { readonly hint: string; readonly askAgain: string },
): void {
  sendPage(context, {
    title: 'Look into your mailbox',
    content: (
      <div class="narrow">
        <h1>Look into your mailbox</h1>
        <p>A mail with a link is on its way, if the address is right. {hint}</p>
        <p class="hint">
          Nothing after some minutes? Look among the spam, or <a href={askAgain}>ask again</a>; a mailbox gets
          a few mails an hour.
        </p>
      </div>
    ),
  });
}
