import { readPath } from './readings.ts';

/** What header fields ask a framework or a server behind the gate to take for the method or the path. */
export interface Overrides {
  readonly methods: readonly string[];
  /** Each is read like one more request target. */
  readonly targets: readonly SentTarget[];
}

export interface SentTarget {
  /** Where it stood: `the target`, or a header's name in lower case. */
  readonly source: string;
  readonly target: string;
}

const METHOD_OVERRIDES = new Set(['x-http-method-override', 'x-http-method', 'x-method-override']);

/** Forwarding proxies write some of them for their own good reasons, so they are read and not stripped. */
const TARGET_OVERRIDES = new Set([
  'x-original-url',
  'x-original-uri',
  'x-rewrite-url',
  'x-forwarded-uri',
  'x-forwarded-path',
  'x-override-url',
  'path-info',
]);

/** A prefix that Gunicorn (`SCRIPT_NAME`) and a recipe for Flask (`X-Script-Name`) cut off the path. */
const PREFIX_OVERRIDES = new Set(['script-name', 'x-script-name']);

/**
 * Null when there is none, as on nearly every request. Names with underscores count: CGI reads both alike.
 *
 * @param rawHeaders Names and values in turn.
 */
export function readOverrides(target: string, rawHeaders: readonly string[]): Overrides | null {
  const methods: string[] = [];
  const targets: SentTarget[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i] ?? '';
    // `x-…`, or `path-info` and `script-name` by their lengths.
    const startsWithX = (sent.charCodeAt(0) | 0x20) === 0x78;
    if (!startsWithX && sent.length !== 9 && sent.length !== 11) continue;
    const name = sent.toLowerCase().replaceAll('_', '-');
    const value = (rawHeaders[i + 1] ?? '').trim();
    if (METHOD_OVERRIDES.has(name)) {
      methods.push(...value.split(',').map((method) => method.trim().toUpperCase()));
    } else if (TARGET_OVERRIDES.has(name)) {
      // Node shows bytes as Latin-1; who takes a path from them may take them as UTF-8.
      for (const text of new Set([value, Buffer.from(value, 'latin1').toString()]))
        targets.push({ source: name, target: text });
    } else if (PREFIX_OVERRIDES.has(name) && value !== '') {
      for (const rest of pathsBehind(value, target)) targets.push({ source: name, target: rest });
    }
  }
  return methods.length > 0 || targets.length > 0 ? { methods, targets } : null;
}

/** What is left of the path, in each of its readings, behind a prefix that is cut off. */
function pathsBehind(prefix: string, target: string): string[] {
  return readPath(target)
    .paths.filter((path) => path.includes(prefix))
    .map((path) => path.slice(path.indexOf(prefix) + prefix.length));
}

/** The methods that a query names: `?_method=PUT`. */
export function queryMethods(target: string): string[] {
  const at = target.indexOf('?');
  if (at === -1 || !/method/i.test(target.slice(at).replace(/%[0-9a-f]{2}/gi, unescapeOne))) return [];
  return [...new URLSearchParams(target.slice(at + 1).replaceAll(';', '&'))]
    .filter(([name]) => /^_?method(?:\[\])?$/i.test(name.trim()))
    .map(([, value]) => value.trim().toUpperCase());
}

function unescapeOne(escaped: string): string {
  return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
}
