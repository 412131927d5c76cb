import { networkOf, parseCidr, parseIpAddress } from '../addresses/ip-address.ts';
import { closest } from './closest.ts';
import { isLoopbackHost, parseListenAddress } from './listen-address.ts';
import { parseDiskSize, parseDuration, parseSize, parseTimeout } from './quantities.ts';
import { ANY_PAGE, routePathProblem } from './route-path.ts';
import { isWebUrl, parseOrigin } from './url-formats.ts';

/** For a text that is a key with its value: YAML needs the space, outside of quotes. */
export function advisePair(text: string): string {
  return /:\s/.test(text) ? 'put the quotes around the value alone' : 'write a space after the colon';
}

/** Advice for texts that a format refuses. If the advice suggests another text, the format accepts that text. */

export function adviseListenAddress(text: string): string | null {
  const port = /^\*:(\d{1,5})$/.exec(text)?.[1];
  if (port !== undefined && parseListenAddress(`127.0.0.1:${port}`))
    return `write 127.0.0.1:${port} for this machine alone, or 0.0.0.0:${port} for everyone`;
  const [, digits = ''] = /^(?:.*:)?(\d{5,})$/.exec(text) ?? [];
  if (Number(digits) > 65_535) return 'ports end at 65535';
  const bracketed = text.replace(/^([\da-f:]*:[\da-f:]*):(\d+)$/i, '[$1]:$2');
  if (parseListenAddress(bracketed)) return didYouMean(bracketed);
  const [, address] = /^https?:\/\/([^/]+)\/?$/i.exec(text) ?? [];
  if (address !== undefined && parseListenAddress(address)) return didYouMean(address);
  return parseListenAddress(`${text}:0`) ? `add a port, such as ${text}:8000` : null;
}

export function adviseMethod(text: string): string | null {
  if (/^HEAD$/i.test(text)) return 'write GET, which includes HEAD';
  if (/^(?:OPTIONS|CONNECT|TRACE)$/i.test(text)) return 'requests with this method always pass';
  const near = closest(text, ['POST', 'PUT', 'PATCH', 'GET', 'DELETE']);
  return near === null ? null : didYouMean(near);
}

export function adviseCidr(text: string): string | null {
  const [address = '', length = ''] = text.split('/');
  const ip = parseIpAddress(address);
  if (!ip || !/^\d{1,3}$/.test(length)) return null;
  const bits = ip.family === 4 ? 32 : 128;
  if (Number(length) > bits) return `prefixes of IPv${ip.family} end at /${bits}`;
  const network = `${networkOf(ip, Number(length)).text}/${Number(length)}`;
  return parseCidr(network) ? didYouMean(network) : null;
}

/** Advice for an upstream or a public URL. */
export function adviseOrigin(text: string): string | null {
  if (text.includes('*')) return 'write the whole host, one entry for each: patterns are not read';
  if (/:0+\/?$/.test(text)) return 'write the port of the app: no server is at port 0';
  const inner = /^[a-z]+:\/\/([a-z]+:\/\/.*)$/is.exec(text)?.[1];
  if (inner !== undefined) return parseOrigin(inner) ? `write the scheme once: ${inner}` : null;
  if (/^[a-z]+:\/\//i.test(text))
    return isWebUrl(text) ? `leave out path, query and user: ${new URL(text).origin}` : null;
  const { hostname = '', port = '' } = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : {};
  // Apps on this machine or in its network speak HTTP. Port 443 and names of the Internet mean TLS.
  const isOwn = isLoopbackHost(hostname) || port !== '' || !hostname.includes('.');
  const scheme = /:0*443(?:\/|$)/.test(text) || !isOwn ? 'https' : 'http';
  const url = `${scheme}://${text}`;
  if (parseOrigin(url)) return `begin with http:// or https://: ${url}`;
  return 'begin with http:// or https://';
}

/** Without the condition, a login on the same path would be a signup without an email. */
const ONE_OF_SEVERAL_FORMS =
  'If the path has other forms too, add when: {EMAIL: {exists: true}} with the field of the email';

/** As in the documentation of many APIs: `PUT /signup`, `GET,POST /signup`, `[POST] /signup`, `POST:/signup`. */
const METHODS_BEFORE =
  /^\[?((?:get|post|put|patch|delete|any|all)(?:[\s,|]+(?:get|post|put|patch|delete))*)\]?[\s:]+(?=\S)/i;

/** Advice for the path of a route. A query in it names one of several forms. */
export function adviseRoutePath(text: string): string | null {
  const [before = '', methods = ''] = METHODS_BEFORE.exec(text.trim()) ?? [];
  if (before !== '') return adviseMethodsBefore(text.trim().slice(before.length), methods.toUpperCase());
  const advice = advisePath(text);
  const namesForm = /\?[^?=]+=/.test(text) && advice?.startsWith('did you mean') === true;
  return namesForm ? `${advice} ${ONE_OF_SEVERAL_FORMS}` : advice;
}

/** Without `methods`, a route judges POST, and any other method that carries an email. */
function adviseMethodsBefore(path: string, methods: string): string | null {
  const advice = routePathProblem(path) === null ? didYouMean(path) : adviseRoutePath(path);
  if (advice === null || /^(?:POST|ANY|ALL)$/.test(methods)) return advice;
  return `${advice} Write methods: [${methods.split(/[\s,|]+/).join(', ')}] beside it`;
}

/** The host of the app, where only the path belongs. A name with a dot alone may be a file: `index.php/signup`. */
const HOST_BEFORE = /^(?:localhost|www\.[\w.-]+|[\w.-]+(?=:\d))(?::\d+)?(?=\/)/i;

function advisePath(text: string): string | null {
  const problem = routePathProblem(text);
  if (/:\w+\?/.test(text)) return problem;
  const path = isWebUrl(text)
    ? new URL(text).pathname
    : fromOtherSyntax(text.trim())
        .replace(/[?#].*$/s, '')
        .replace(HOST_BEFORE, '');
  const rooted = path.startsWith('/') ? path : `/${path}`;
  if (path !== '' && rooted !== text && routePathProblem(rooted) === null) return didYouMean(rooted);
  return problem;
}

/** Paths as regular expressions, and as Flask, Spring, Laravel, FastAPI and Next.js write them, in Gatekeeper's syntax. */
function fromOtherSyntax(path: string): string {
  return path
    .replace(/^\^/, '')
    .replace(/\/?\??\$$/, '')
    .replace(/^\*$/, '/**')
    .replace(/\/(?:\[\[?\.{3}\w+\]\]?|\{\w+:path\}|<path:\w+>|\{\*\w+\})$/, '/**')
    .replace(/\/\([\w-]+\)(?=\/)/g, '')
    .replace(/(?<=\/)(?:\{(\w+)[^{}/]*\}|<(?:\w+:)?(\w+)>|\[(\w+)\])(?=\/|$)/g, ':$1$2$3');
}

export function adviseFormPage(text: string): string | null {
  const isAnyPage = /^\s*(?:any|all|every)(?:\s+pages?)?\s*$|^\*+$/i.test(text);
  return isAnyPage ? didYouMean(ANY_PAGE) : advisePath(text);
}

const DURATION_WORDS: readonly (readonly [word: RegExp, unit: string, factor: number])[] = [
  [/^(?:ms|msecs?|millis|milliseconds?)$/, 'ms', 1],
  [/^(?:s|secs?|seconds?)$/, 's', 1],
  [/^(?:m|mins?|minutes?)$/, 'm', 1],
  [/^(?:h|hrs?|hours?)$/, 'h', 1],
  [/^(?:d|days?)$/, 'd', 1],
  [/^(?:w|wks?|weeks?)$/, 'd', 7],
  [/^(?:mo|months?)$/, 'd', 30],
  [/^(?:y|yrs?|years?)$/, 'd', 365],
];

export function adviseDuration(text: string): string | null {
  return adviseTime(text, 'duration');
}

export function adviseTimeout(text: string): string | null {
  return adviseTime(text, 'timeout');
}

function adviseTime(text: string, kind: 'duration' | 'timeout'): string | null {
  const [, digits = '', word = ''] = /^(\d{1,9})\s*([a-z]*)$/.exec(text.trim().toLowerCase()) ?? [];
  if (digits !== '' && word === '') return addUnit(digits, kind);
  const [, unit, factor = 1] = DURATION_WORDS.find(([pattern]) => pattern.test(word)) ?? [];
  const duration = `${Number(digits) * factor}${unit}`;
  const isHelp = duration !== text && COMMON_UNITS[kind].parse(duration) !== null;
  return isHelp ? didYouMean(duration) : null;
}

const EVERY = { hourly: '1h', daily: '24h', weekly: '7d' } as const;

export function adviseDurationOrOff(text: string): string | null {
  const every = Object.entries(EVERY).find(([word]) => word === text.toLowerCase());
  if (every) return didYouMean(every[1]);
  return /^(?:no|never|none|false|disabled)$/i.test(text) ? didYouMean('off') : adviseDuration(text);
}

export function adviseSize(text: string): string | null {
  return adviseBytes(text, 'size');
}

export function adviseDiskSize(text: string): string | null {
  return adviseBytes(text, 'disk-size');
}

function adviseBytes(text: string, kind: 'size' | 'disk-size'): string | null {
  const [, digits = '', unit = ''] = /^(\d{1,12})\s*([a-z]*)$/.exec(text.trim().toLowerCase()) ?? [];
  if (digits !== '' && unit === '') return addUnit(digits, kind);
  const [, first] = /^([kmgt])(?:i?b|bytes?)?$/.exec(unit) ?? [];
  const named = `${digits}${first === undefined ? 'b' : `${first}b`}`;
  const size = first === 't' ? `${Number(digits) * 1_024}gb` : named;
  const isKnown = first !== undefined || /^bytes?$/.test(unit);
  return isKnown && COMMON_UNITS[kind].parse(size) !== null ? didYouMean(size) : null;
}

const COMMON_UNITS = {
  duration: { units: ['s', 'm', 'h', 'd'], parse: parseDuration },
  timeout: { units: ['ms', 's', 'm', 'h'], parse: parseTimeout },
  size: { units: ['b', 'kb', 'mb'], parse: parseSize },
  'disk-size': { units: ['mb', 'gb'], parse: parseDiskSize },
} as const;

/** Suggests several units, because a wrong guess could delete records or cut connections. */
export function addUnit(digits: string, kind: keyof typeof COMMON_UNITS): string | null {
  const { units, parse } = COMMON_UNITS[kind];
  const fine = units.map((unit) => `${digits}${unit}`).filter((text) => parse(text) !== null);
  return fine.length === 0 ? null : `add a unit: ${fine.join(', ')}`;
}

export function didYouMean(text: string): string {
  return `did you mean "${text}"?`;
}
