import type { ComponentChildren } from 'preact';
import { EMAIL_MISTAKE } from '../../accounts/read-email.ts';
import { ActForm } from '../components/act-form.tsx';
import { Field } from '../components/field.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';

export interface EmailPage {
  readonly title: string;
  /** The URL to which the form is posted. */
  readonly action: string;
  readonly intro: string;
  readonly autocomplete: 'email' | 'username';
  /** A link to another page, shown below the form. */
  readonly otherwise: ComponentChildren;
}

/**
 * The form in which a visitor without a session asks for a link by mail.
 *
 * @param mistyped A posted text that is not an email. Left out: nothing was posted.
 */
export function sendEmailPage(context: DashboardContext, page: EmailPage, mistyped?: string): void {
  const { title, action, intro, autocomplete, otherwise } = page;
  sendPage(context, {
    title,
    status: mistyped === undefined ? 200 : 400,
    content: (
      <div class="narrow">
        <h1>{title}</h1>
        <p>{intro}</p>
        <ActForm action={action} csrfToken={context.state.csrfToken}>
          <Field
            name="email"
            label="Email"
            type="email"
            value={mistyped ?? ''}
            error={mistyped === undefined ? undefined : EMAIL_MISTAKE}
            autocomplete={autocomplete}
            required
          />
          <button type="submit">Send me a link</button>
        </ActForm>
        <p>{otherwise}</p>
      </div>
    ),
  });
}

/** The answer to every request for a mail, whether one is sent or not. */
export function sendLookIntoMailboxPage(
  context: DashboardContext,
  { hint, askAgain }: { readonly hint: string; readonly askAgain: string },
): void {
  sendPage(context, {
    title: 'Check your mail',
    content: (
      <div class="narrow">
        <h1>Check your mail</h1>
        <p>If the address is right, a mail with a link is on its way. {hint}</p>
        <p class="hint">
          No mail after some minutes? Check your spam folder, or <a href={askAgain}>ask for another mail</a>.
          A mailbox gets only a few mails per hour.
        </p>
      </div>
    ),
  });
}
