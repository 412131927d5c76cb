import { type CompleteDocument, configSchema } from './config-schema.ts';
import { mapScalars } from './map-scalars.ts';
import { toPointer } from './pointer.ts';
import type { JsonSchema } from './schema-types.ts';

const REDACTED = 'redacted';
/** Query parameters that may carry a password. */
const SECRET_PARAMETER = /key|token|secret|pass|pwd|auth|sig/i;

/**
 * A copy of the document that can be shown and loaded again: secrets, passwords in URLs and values from files are
 * replaced, and a plain `${` is escaped.
 * @param secretPlaces JSON Pointers of values that are secret, although their settings are not.
 */
export function redactDocument(document: CompleteDocument, secretPlaces: ReadonlySet<string>): unknown {
  return mapScalars(configSchema, document, (value, steps, schema) =>
    secretPlaces.has(toPointer(steps)) ? REDACTED : escapePlaceholders(redactValue(value, schema?.secret)),
  );
}

/** JSON Pointers of all values that `redactDocument` replaces because their setting is a secret. */
export function findSecrets(document: CompleteDocument): readonly string[] {
  const places: string[] = [];
  mapScalars(configSchema, document, (value, steps, schema) => {
    if (redactValue(value, schema?.secret) !== value) places.push(toPointer(steps));
    return value;
  });
  return places;
}

function escapePlaceholders(value: unknown): unknown {
  // In a replacement text `$$` means one dollar.
  return typeof value === 'string' ? value.replaceAll('${', '$$$${') : value;
}

function redactValue(value: unknown, secret: JsonSchema['secret']): unknown {
  if (typeof value !== 'string' || secret === undefined) return value;
  return secret === 'whole' ? REDACTED : redactUrl(value);
}

/** Hides the secrets of a URL. Keeps the scheme, user, host and path, by which an operator recognises the URL. */
function redactUrl(text: string): string {
  if (!text.includes('://')) return text;
  if (!URL.canParse(text)) return redactLogin(text);
  const url = new URL(text);
  // A user without a password is an access token, as in https://token@host.
  const isToken = url.password === '' && url.username !== '';
  const secrets = [...url.searchParams.keys()].filter((name) => SECRET_PARAMETER.test(name));
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
    .replace(/([?&])([^=&?]*)=[^&]*/g, (parameter, before: string, name: string) =>
      SECRET_PARAMETER.test(name) ? `${before}${name}=${REDACTED}` : parameter,
    );
}
