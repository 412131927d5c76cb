import type { Account } from '../../storage/accounts/people-records.ts';
import { Notice } from '../components/notice.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';

/** A link that opens an account: shown this once, and kept nowhere. */
export function sendLinkPage(
  context: DashboardContext,
  view: {
    readonly title: string;
    readonly link: string;
    readonly lasting: string;
    readonly account: Account;
  },
): void {
  const { title, link, lasting, account } = view;
  sendPage(context, {
    title,
    content: (
      <>
        <h1>{title}</h1>
        <Notice kind="warning">
          <p>
            Copy the link now: it is shown this once. Whoever opens it can choose the password, so pass it on
            with care.
          </p>
        </Notice>
        <section class="panel" aria-labelledby="link-heading">
          <h2 id="link-heading">The link</h2>
          <pre id="link">{link}</pre>
          <button type="button" data-act="copy" data-from="link" hidden>
            Copy the link
          </button>
          <p>It works once, for {lasting}.</p>
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
