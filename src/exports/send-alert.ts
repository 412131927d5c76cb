import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { MailError } from '../mail/mailer.ts';
import { openSmtp } from '../mail/open-smtp.ts';
import { html } from '../web/html.ts';
import { mailFrame } from '../web/mail-frame.ts';
import { UNNAMED_SITE } from '../web/site.ts';
import type { AlertConfig, AlertMessage } from './alert-message.ts';
import { createWebhookClient, type PostResult } from './post-webhook.ts';
import { renderAlert } from './render-alert.ts';
import { signWebhook } from './sign-webhook.ts';

export interface SendAlert {
  readonly mail: Config['mail'];
  /** The URL of the dashboard without a path. */
  readonly dashboardUrl: string;
  readonly clock: Clock;
}

/** Makes one attempt to send a message to one receiver. Never rejects. */
export async function sendAlert(
  receiver: AlertConfig,
  message: AlertMessage,
  { mail, dashboardUrl, clock }: SendAlert,
): Promise<PostResult> {
  if (receiver.to === 'mail') return await sendMail(receiver, message, { mail, dashboardUrl });
  if (receiver.url === null) return failed('no address');
  const client = createWebhookClient(receiver.url, receiver.private_networks);
  try {
    const body = renderAlert(receiver.to, message);
    const isSigned = receiver.to === 'webhook';
    const id = `msg_${message.id}`;
    return await client.post(isSigned ? signWebhook({ id, body }, receiver.secrets, clock()) : {}, body);
  } finally {
    client.close();
  }
}

async function sendMail(
  receiver: AlertConfig,
  { id, subject, text }: AlertMessage,
  { mail, dashboardUrl }: Pick<SendAlert, 'mail' | 'dashboardUrl'>,
): Promise<PostResult> {
  if (mail.smtp === null || receiver.mail === null) return failed('no mail server');
  const mailer = openSmtp({ url: mail.smtp, from: mail.from });
  const content = html`${text.split('\n').map((line) => html`<p>${line}</p>`)}`;
  const frame = { language: 'en', site: UNNAMED_SITE, publicUrl: dashboardUrl, contact: null };
  try {
    await mailer.send({
      id: `msg_${id}`,
      recipient: receiver.mail,
      subject,
      text,
      ...mailFrame({ ...frame, subject, content }),
    });
    return { isDelivered: true };
  } catch (error) {
    return failed(error instanceof MailError ? error.message : 'the mail failed');
  } finally {
    mailer.close();
  }
}

function failed(because: string): PostResult {
  return { isDelivered: false, because, retryAfterMs: null };
}
