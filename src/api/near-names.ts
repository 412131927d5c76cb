import { closest } from '../config/closest.ts';

/** Names that other programs use for the fields of a signup. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  email: ['mail', 'e-mail', 'e_mail', 'emailaddress', 'email_address', 'address', 'user_email', 'username'],
  ip_address: [
    'ip',
    'ipaddress',
    'ip_addr',
    'remote_ip',
    'client_ip',
    'remote_addr',
    'remoteaddress',
    'clientip',
  ],
};

/** A field name as a developer writes it. */
const NAME = /^[\w-]{1,40}$/;
const MAX_NAMES = 100;

/** The field of the body that the caller probably sent instead of the missing one. Null when no field resembles it. */
export function findMisnamedField(missing: string, body: unknown, known: readonly string[]): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const names = Object.keys(body)
    .slice(0, MAX_NAMES)
    .filter((name) => NAME.test(name) && !known.includes(name));
  const aliases = ALIASES[missing] ?? [];
  return names.find((name) => aliases.includes(name.toLowerCase())) ?? closest(missing, names);
}

/** The path of the API that another path resembles; null when none does. */
export function findMeantPath(path: string, known: readonly string[]): string | null {
  const segments = path.split('/').filter((segment) => segment !== '');
  const route = segments.join('/').replace(/^(?:api\/)?(?:v\d+\/)?/, '/');
  return closest(route, known);
}
