import { parseMailbox } from '../addresses/email-address.ts';
import { type CheckContext, checkUnique, itemsOf } from './checks.ts';
import type { CompleteDocument } from './config-schema.ts';
import { isPrivateHost } from './private-host.ts';

type Alert = CompleteDocument['alerts'][number];

const QUIET_HOURS = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/;

/** Checks the receivers of alerts. A host name is resolved only when a message is sent, as for webhooks. */
export function checkAlerts(context: CheckContext): void {
  const { document, isValid, issue } = context;
  checkUnique(context, '/alerts', 'name');
  for (const [i, alert] of itemsOf<Alert>(document.alerts)) {
    const place = `/alerts/${i}`;
    if (!isValid(`${place}/to`)) continue;
    if (alert.to === 'mail') checkMail(context, place, alert);
    else checkUrl(context, place, alert);
    if (alert.to === 'webhook' && isValid(`${place}/secrets`) && alert.secrets.length === 0)
      issue(`${place}/secrets`, 'expected at least one secret: receivers check the signature');
    if (alert.quiet_hours !== null && !QUIET_HOURS.test(alert.quiet_hours))
      issue(`${place}/quiet_hours`, 'expected two times of the day in UTC, such as 22:00-07:00');
    if (isValid(place)) warnOfNoEffect(context, place, alert);
  }
}

function warnOfNoEffect({ warn }: CheckContext, place: string, alert: Alert): void {
  const { to, about, quiet_hours, mail, url, secrets, private_networks } = alert;
  if (about.length === 0) warn(`${place}/about`, 'no subjects, so this receiver gets no message');
  const [from, until] = quiet_hours?.split('-') ?? [];
  if (from !== undefined && from === until)
    warn(`${place}/quiet_hours`, 'the two times are equal, so no hour is quiet');
  const unused = {
    mail: to !== 'mail' && mail !== null,
    url: to === 'mail' && url !== null,
    secrets: to !== 'webhook' && secrets.length > 0,
    private_networks: to === 'mail' && private_networks.length > 0,
  };
  for (const [key, isUnused] of Object.entries(unused))
    if (isUnused) warn(`${place}/${key}`, `has no effect with to: ${to}`);
}

function checkMail({ document, issue }: CheckContext, place: string, { mail }: Alert): void {
  if (mail === null || !parseMailbox(mail))
    issue(`${place}/mail`, 'expected the mailbox that gets the alerts');
  else if (document.mail?.smtp === null)
    issue(`${place}/mail`, 'alerts by mail need a mail server', 'set mail.smtp');
}

function checkUrl({ isValid, issue }: CheckContext, place: string, alert: Alert): void {
  if (alert.url === null) issue(`${place}/url`, 'expected the URL of the receiver');
  if (alert.url === null || !isValid(`${place}/url`) || !isValid(`${place}/private_networks`)) return;
  if (isPrivateHost(new URL(alert.url).hostname) && alert.private_networks.length === 0)
    issue(`${place}/url`, 'the address is not public', 'name its network in private_networks to allow it');
}
