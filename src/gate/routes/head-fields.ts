import { plainFieldName } from '../../http/request-head.ts';

/** The header fields that the matcher needs, collected in one pass. */
export interface HeadFields {
  /** Methods that a framework may use instead, in upper case. */
  readonly methods: ReadonlySet<string>;
  /**
   * The matcher reads each one like a second request target. The value is the lower-case name of the first field that
   * held it.
   */
  readonly targets: ReadonlyMap<string, string>;
  /** Prefixes that a framework removes from the path. */
  readonly prefixes: ReadonlySet<string>;
  readonly contentTypes: readonly string[];
  /** Empty when the request has no host. */
  readonly host: string;
  readonly hasBody: boolean;
}

const METHOD_OVERRIDES = new Set(['x-http-method-override', 'x-http-method', 'x-method-override']);

/**
 * Moleculer reads the method of an OPTIONS from this field, and then runs the action. A preflight of a browser has no
 * body (Fetch standard), so the field counts only beside a body.
 */
const METHOD_OF_PREFLIGHT = 'access-control-request-method';

/** Forwarding proxies write some of these fields for good reasons, so the gate reads them and does not strip them. */
const TARGET_OVERRIDES = new Set([
  'x-original-url',
  'x-original-uri',
  'x-rewrite-url',
  'x-forwarded-uri',
  'x-forwarded-path',
  'x-override-url',
  'path-info',
]);

/** Gunicorn (`SCRIPT_NAME`) and a common Flask recipe (`X-Script-Name`) remove this prefix from the path. */
const PREFIX_OVERRIDES = new Set(['script-name', 'x-script-name']);

const NO_TEXTS: ReadonlySet<string> = new Set();
const NO_TARGETS: ReadonlyMap<string, string> = new Map();
const NO_TYPES: readonly string[] = [];

/**
 * Names with an underscore or a dot count too, because some servers read them alike.
 * @param rawHeaders Name, value, name, value, …
 */
export function readHeadFields(rawHeaders: readonly string[]): HeadFields {
  let methods: Set<string> | null = null;
  let targets: Map<string, string> | null = null;
  let prefixes: Set<string> | null = null;
  let contentTypes: string[] | null = null;
  let hasBody = false;
  let preflightMethod: string | null = null;
  let host = '';
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i] ?? '';
    if (!mayConcern(sent)) continue;
    const name = plainFieldName(sent);
    const value = rawHeaders[i + 1] ?? '';
    if (name === 'host') {
      host = value;
    } else if (name === 'content-type') {
      contentTypes ??= [];
      contentTypes.push(value);
    } else if (name === 'content-length') {
      hasBody ||= Number(value) > 0;
    } else if (name === 'transfer-encoding') {
      hasBody = true;
    } else if (METHOD_OVERRIDES.has(name)) {
      methods ??= new Set();
      for (const method of value.split(',')) methods.add(method.trim().toUpperCase());
    } else if (name === METHOD_OF_PREFLIGHT) {
      preflightMethod = value.trim().toUpperCase();
    } else if (PREFIX_OVERRIDES.has(name)) {
      prefixes ??= new Set();
      if (value.trim() !== '') prefixes.add(value.trim());
    } else if (TARGET_OVERRIDES.has(name)) {
      targets ??= new Map();
      addTarget(targets, value.trim(), name);
    }
  }
  if (hasBody && preflightMethod !== null) {
    methods ??= new Set();
    methods.add(preflightMethod);
  }
  return {
    methods: methods ?? NO_TEXTS,
    targets: targets ?? NO_TARGETS,
    prefixes: prefixes ?? NO_TEXTS,
    contentTypes: contentTypes ?? NO_TYPES,
    host,
    hasBody,
  };
}

/** Node decodes header bytes as Latin-1; a server that reads a path from them may decode UTF-8. */
function addTarget(targets: Map<string, string>, value: string, name: string): void {
  for (const target of [value, Buffer.from(value, 'latin1').toString()])
    if (!targets.has(target)) targets.set(target, name);
}

/** Names that begin with `x-`, and a few others by first letter and length: nearly every field skips the full check. */
function mayConcern(name: string): boolean {
  switch (name.charCodeAt(0) | 0x20) {
    case 0x78:
      return true;
    case 0x63: // content-type, content-length
      return name.length === 12 || name.length === 14;
    case 0x74: // transfer-encoding
      return name.length === 17;
    case 0x70: // path-info
      return name.length === 9;
    case 0x68: // host
      return name.length === 4;
    case 0x61: // access-control-request-method
      return name.length === METHOD_OF_PREFLIGHT.length;
    case 0x73: // script-name
      return name.length === 11;
    default:
      return false;
  }
}
