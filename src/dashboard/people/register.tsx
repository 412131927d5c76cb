import { seeOther } from '../access.ts';
import { ActForm } from '../components/act-form.tsx';
import { Field } from '../components/field.tsx';
import { sendPage } from '../page.tsx';
import { PageError } from '../page-error.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { clientIp } from '../session/client.ts';
import { isRefused } from './judge-registration.ts';
import { sendLookIntoMailboxPage } from './mailbox-page.tsx';
import type { PeopleParts } from './people-parts.ts';
import { EMAIL_MISTAKE, readEmail } from './read-email.ts';

/** Registering with an email, where strangers may: the link that is mailed shows that the mailbox is theirs. */
export function registerRegistration(router: DashboardRouter, parts: PeopleParts): void {
  router.get('/register', (context) => {
    requireOpen(parts);
    if (context.state.viewer) seeOther(context, '/');
    else sendRegisterPage(context);
  });
  router.post('/register', async (context) => {
    requireOpen(parts);
    const typed = context.state.form.text('email');
    const email = readEmail(typed);
    if (!email) {
      sendRegisterPage(context, typed);
      return;
    }
    const request = { email, ip: clientIp(context, parts.config()) };
    if (await isRefused(context, request, parts)) {
      throw new PageError(
        403,
        'This registration was refused. If that is a mistake, tell the operator its id.',
      );
    }
    parts.desk.register(request);
    sendLookIntoMailboxPage(context, { hint: 'The link works for 24 hours.', askAgain: '/register' });
  });
}

function requireOpen({ config }: PeopleParts): void {
  if (config().dashboard.registration !== 'open') throw new PageError(404, 'There is no such page.');
}

function sendRegisterPage(context: DashboardContext, mistyped?: string): void {
  sendPage(context, {
    title: 'Register',
    status: mistyped === undefined ? 200 : 400,
    content: (
      <div class="narrow">
        <h1>Register</h1>
        <p>You get a mail with a link, and choose a password there.</p>
        <ActForm action="/register" csrfToken={context.state.csrfToken}>
          <Field
            name="email"
            label="Email"
            type="email"
            value={mistyped ?? ''}
            error={mistyped === undefined ? undefined : EMAIL_MISTAKE}
            autocomplete="email"
            required
          />
          <button type="submit">Send me a link</button>
        </ActForm>
        <p>
          You have an account? <a href="/sign-in">Sign in</a>
        </p>
      </div>
    ),
  });
}
