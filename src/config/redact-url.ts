export const REDACTED = 'redacted';
/** Query parameters that may carry a password. */
const SECRET_PARAMETER = /key|token|secret|pass|pwd|auth|sig|code/i;
/** A random text is a secret, whatever its name: `?k=…`. A path or a sentence has other characters, or no digit. */
const SECRET_VALUE = /^(?=.*\d)[\w~+/=-]{16,}$/;

/** Hides the secrets of a URL. Keeps the scheme, user, host and path, by which an operator recognises the URL. */
export function redactUrl(text: string): string {
  if (!text.includes('://')) return text;
  if (!URL.canParse(text)) return redactLogin(text);
  const url = new URL(text);
  // A user without a password is an access token, as in https://token@host.
  const isToken = url.password === '' && url.username !== '';
  const secrets = [...url.searchParams].filter(isSecret).map(([name]) => name);
  if (url.password === '' && !isToken && secrets.length === 0) return text;
  if (isToken) url.username = REDACTED;
  if (url.password !== '') url.password = REDACTED;
  for (const name of secrets) url.searchParams.set(name, REDACTED);
  return url.href;
}

/**
 * Hides the secrets of URLs with several hosts, which `URL` cannot read. Everything up to the last `@` is user and
 * password. Parameters follow a `?`.
 */
function redactLogin(text: string): string {
  return text
    .replace(/^([a-z+]+:\/\/)(?:([^:@]*):)?.*@/is, (_, scheme: string, user?: string) =>
      user === undefined ? `${scheme}${REDACTED}@` : `${scheme}${user}:${REDACTED}@`,
    )
    .replace(/([?&])([^=&?]*)=([^&]*)/g, (parameter, before: string, name: string, value: string) =>
      isSecret([name, value]) ? `${before}${name}=${REDACTED}` : parameter,
    );
}

function isSecret([name, value]: readonly [name: string, value: string]): boolean {
  return SECRET_PARAMETER.test(name) || SECRET_VALUE.test(value);
}
