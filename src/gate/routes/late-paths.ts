import { pathOf } from './path-variants.ts';

/** Of a host. */
export const USUAL_LENGTH = 4;

/**
 * The paths that an app finds when it searches the first slash of `http://host/path` only from the twelfth character on.
 * Elysia does so, because most hosts have four characters or more. With the host `ab`, it reads `/x/signup` and
 * `/?x/signup` as `/signup`.
 * @param target The request target as it arrived.
 * @param host The value of the header; empty when it is missing: the app then gets the host of `proxy.upstream`.
 */
export function latePaths(target: string, host: string): readonly string[] {
  const [, authority = host, rest = target] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  if (authority === '') return NO_PATHS;
  const sent = rest.startsWith('/') ? rest : `/${rest}`;
  const paths = new Set<string>();
  const most = USUAL_LENGTH - authority.length;
  // Behind `https://`, it skips one character less.
  for (let skipped = Math.max(1, most - 1); skipped <= most; skipped++) {
    const at = sent.indexOf('/', skipped);
    if (at !== -1) paths.add(pathOf(sent.slice(at)));
  }
  return [...paths];
}

const NO_PATHS: readonly string[] = [];
