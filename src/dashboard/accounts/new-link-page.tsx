import type { AccessLink } from '../../accounts/account-administration.ts';
import { Notice } from '../components/notice.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';

/** A page that shows a new link to an account once. */
export function sendNewLinkPage(
  context: DashboardContext,
  title: string,
  { url, lasts, account }: AccessLink,
): void {
  sendPage(context, {
    title,
    content: (
      <>
        <h1>{title}</h1>
        <Notice kind="warning">
          <p>
            Copy the link now. It is shown only once. Anyone who has the link can choose the password, so send
            it with care.
          </p>
        </Notice>
        <section class="panel" aria-labelledby="link-heading">
          <h2 id="link-heading">The link</h2>
          <p>It works once, for {lasts}.</p>
          <pre id="link">{url}</pre>
          <button type="button" data-act="copy" data-from="link" hidden>
            Copy the link
          </button>
        </section>
        <p>
          <a class="button" href={`/accounts/${account.id}`}>
            I have copied it
          </a>
        </p>
      </>
    ),
  });
}
