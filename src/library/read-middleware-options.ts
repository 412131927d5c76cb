import { type Cidr, parseCidr } from '../addresses/ip-address.ts';
import { closest } from '../config/closest.ts';
import type { Action, RouteConfig } from '../config/config.ts';
import { FORMATS } from '../config/formats.ts';
import type { MiddlewareOptions } from './middleware-options.ts';

/** The parsed options. */
export interface MiddlewareRules {
  /** The options as the rules of a gate route. */
  readonly route: RouteConfig;
  readonly trust: { readonly trustedProxies: readonly Cidr[]; readonly clientIpHeader: string };
}

const ACTIONS: readonly Action[] = ['forward', 'verify', 'block'];
const MAX_PLACES = 10;
const MAX_PROXIES = 1_000;
const MAX_BODY_BYTES = 67_108_864;

/** The check of each option. It returns null when the value is valid. */
const CHECKS: { readonly [Name in keyof Required<MiddlewareOptions>]: (value: unknown) => string | null } = {
  name: text(FORMATS.name),
  email: (value) => listOf(FORMATS['field-path'], MAX_PLACES)(typeof value === 'string' ? [value] : value),
  mode: oneOf(['enforce', 'monitor']),
  onLow: oneOf(ACTIONS),
  onMedium: oneOf(ACTIONS),
  onHigh: oneOf(ACTIONS),
  onError: oneOf(ACTIONS),
  onMissingEmail: oneOf(['forward', 'block']),
  verify: checkVerify,
  levels: checkLevels,
  maxBody: (value) =>
    isWhole(value, 1, MAX_BODY_BYTES) ? null : `expected a number of bytes from 1 to ${MAX_BODY_BYTES}`,
  trustedProxies: (value) => listOf(FORMATS.cidr, MAX_PROXIES, 0)(value),
  clientIpHeader: text(FORMATS['address-header']),
};

/** @throws TypeError that names every wrong option. */
export function readMiddlewareOptions(options: unknown): MiddlewareRules {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError('judgeSignup: the options must be an object');
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const wrong = given.flatMap(([name, value]) => {
    const problem = problemOf(name, value);
    return problem === null ? [] : [`${name}: ${problem}`];
  });
  if (wrong.length > 0) throw new TypeError(`judgeSignup: ${wrong.join('\n')}`);
  return toRules(Object.fromEntries(given) as MiddlewareOptions);
}

function problemOf(name: string, value: unknown): string | null {
  if (Object.hasOwn(CHECKS, name)) return CHECKS[name as keyof MiddlewareOptions](value);
  const camelCase = name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
  const meant = closest(camelCase, Object.keys(CHECKS));
  return `unknown option${meant === null ? '' : `; did you mean "${meant}"?`}`;
}

function toRules(options: MiddlewareOptions): MiddlewareRules {
  const { email = 'email', onLow = 'forward', onMedium = 'verify', onHigh = 'block' } = options;
  return {
    route: {
      name: options.name ?? 'signup',
      methods: null,
      path: '',
      when: {},
      email: [email].flat(),
      form: null,
      mode: options.mode ?? 'enforce',
      on_low: onLow,
      on_medium: onMedium,
      on_high: onHigh,
      on_error: options.onError ?? 'forward',
      on_missing_email: options.onMissingEmail ?? 'block',
      verify: { by: 'upstream' },
      levels: options.levels ?? null,
      max_body: options.maxBody ?? 1_048_576,
      max_upload: 0,
      block_page: null,
    },
    trust: {
      trustedProxies: (options.trustedProxies ?? []).flatMap((network) => parseCidr(network) ?? []),
      clientIpHeader: (options.clientIpHeader ?? 'x-forwarded-for').toLowerCase(),
    },
  };
}

interface Format {
  readonly expected: string;
  readonly accepts: (text: string) => boolean;
}

function text({ expected, accepts }: Format): (value: unknown) => string | null {
  return (value) => (typeof value === 'string' && accepts(value) ? null : `expected ${expected}`);
}

function listOf(format: Format, most: number, fewest = 1): (value: unknown) => string | null {
  return (value) => {
    if (!Array.isArray(value)) return 'expected a list';
    if (value.length < fewest || value.length > most) return `expected ${fewest} to ${most} entries`;
    const wrong = value.find((one) => text(format)(one) !== null);
    return wrong === undefined ? null : `"${wrong}" is wrong: expected ${format.expected}`;
  };
}

function oneOf(names: readonly string[]): (value: unknown) => string | null {
  return (value) => {
    if (typeof value === 'string' && names.includes(value)) return null;
    const meant = typeof value === 'string' ? closest(value, names) : null;
    return `expected ${names.join(', ')}${meant === null ? '' : `; did you mean "${meant}"?`}`;
  };
}

function checkVerify(value: unknown): string | null {
  const by = typeof value === 'object' && value !== null && 'by' in value ? value.by : value;
  if (by === 'upstream') return typeof value === 'object' ? null : 'expected {by: "upstream"}';
  if (by === 'email' || by === 'challenge' || by === 'redirect')
    return `"${by}" needs the gate, which keeps the signup and replays it (docs/gate.md). Here the app verifies: leave verify out, and act on the action "verify" in the handler`;
  return 'expected {by: "upstream"}';
}

function checkLevels(value: unknown): string | null {
  const { low, medium } = (value ?? {}) as { readonly low?: unknown; readonly medium?: unknown };
  const isRight = isWhole(low, 0, 100) && isWhole(medium, 0, 100) && medium < low;
  return isRight ? null : 'expected {low, medium}, both from 0 to 100, medium below low';
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}
