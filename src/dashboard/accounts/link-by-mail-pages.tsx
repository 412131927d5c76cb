import type { ComponentChildren } from 'preact';
import { EMAIL_MISTAKE } from '../../accounts/read-email.ts';
import { ActForm } from '../components/act-form.tsx';
import { Field } from '../components/field.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';

export interface EmailPage {
  readonly title: string;
  /** Where the form goes. */
  readonly action: string;
  readonly intro: string;
  readonly autocomplete: 'email' | 'username';
  /** The way elsewhere, below the form. */
  readonly otherwise: ComponentChildren;
}

/**
 * A page for somebody without a session who wants a link by mail.
 *
 * @param mistyped What was posted and is no email; left out: nothing was.
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
