import type { CheckContext } from './checks.ts';
import { isLoopbackHost, overlaps, parseListenAddress } from './listen-address.ts';
import { parseOrigin } from './url-formats.ts';

/** Checks the relations between the settings of the dashboard and the other listeners. */
export function checkDashboard(context: CheckContext): void {
  if (!context.isValid('/dashboard')) return;
  checkListeners(context);
  checkPublicUrl(context);
  checkRegistration(context);
}

function checkListeners({ document, isValid, issue }: CheckContext): void {
  const { listen } = document.dashboard;
  const others = [
    ['/api/listen', () => document.api.listen],
    ['/proxy/listen', () => document.proxy?.listen],
  ] as const;
  for (const [pointer, address] of others) {
    const other = isValid(pointer) && address();
    if (other && overlaps(other, listen)) {
      const name = pointer.slice(1).replace('/', '.');
      issue(
        '/dashboard/listen',
        `the same port as ${name} (${other})`,
        'give the dashboard a port of its own',
      );
    }
  }
}

function checkPublicUrl({ document, issue, warn }: CheckContext): void {
  const { listen, public_url } = document.dashboard;
  if (public_url === null) {
    if (!isLoopback(parseListenAddress(listen)?.host)) {
      warn('/dashboard/public_url', 'not set: the dashboard answers only browsers that open it as localhost');
    }
    return;
  }
  const url = new URL(parseOrigin(public_url) ?? public_url);
  if (url.protocol !== 'https:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, ''))) {
    issue(
      '/dashboard/public_url',
      'passwords would be sent unencrypted: expected https, or a loopback address',
      'put a proxy that speaks TLS in front',
    );
  }
}

function checkRegistration({ document, issue, warn, isValid }: CheckContext): void {
  const { listen, public_url, registration } = document.dashboard;
  if (registration === 'closed' || isLoopback(parseListenAddress(listen)?.host)) return;
  warn('/dashboard/registration', 'everyone who can reach the dashboard can register an account');
  if (!isValid('/mail/smtp')) return;
  if (document.mail.smtp === null) {
    warn('/mail/smtp', 'not set: people who register get no mail, so they cannot finish the registration');
  } else if (public_url === null) {
    issue(
      '/dashboard/public_url',
      'missing; registration is open, and the links in its mails start with this URL',
      'write the URL at which people reach the dashboard, such as https://gatekeeper.example',
    );
  }
}

function isLoopback(host: string | undefined): boolean {
  return host !== undefined && isLoopbackHost(host);
}
