import { ActForm } from '../components/act-form.tsx';
import { Field } from '../components/field.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { clientIp } from '../session/client.ts';
import { sendLookIntoMailboxPage } from './mailbox-page.tsx';
import type { PeopleParts } from './people-parts.ts';
import { EMAIL_MISTAKE, readEmail } from './read-email.ts';

/** A link to choose a new password, mailed. */
export function registerForgotten(router: DashboardRouter, { desk, config }: PeopleParts): void {
  router.get('/forgotten', (context) => sendForgottenPage(context));
  router.post('/forgotten', (context) => {
    const typed = context.state.form.text('email');
    const email = readEmail(typed);
    if (!email) {
      sendForgottenPage(context, typed);
      return;
    }
    desk.resetPassword({ email, ip: clientIp(context, config()) });
    sendLookIntoMailboxPage(context, { hint: 'The link works for an hour.', askAgain: '/forgotten' });
  });
}

function sendForgottenPage(context: DashboardContext, mistyped?: string): void {
  sendPage(context, {
    title: 'Forgotten password',
    status: mistyped === undefined ? 200 : 400,
    content: (
      <div class="narrow">
        <h1>Forgotten password</h1>
        <p>You get a mail with a link, and choose a new one there.</p>
        <ActForm action="/forgotten" csrfToken={context.state.csrfToken}>
          <Field
            name="email"
            label="Email"
            type="email"
            value={mistyped ?? ''}
            error={mistyped === undefined ? undefined : EMAIL_MISTAKE}
            autocomplete="username"
            required
          />
          <button type="submit">Send me a link</button>
        </ActForm>
        <p>
          <a href="/sign-in">Back to signing in</a>
        </p>
      </div>
    ),
  });
}
