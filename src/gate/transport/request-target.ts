import { isHost } from '../../http/head-checks.ts';

/** A request target as the upstream gets it. */
export interface UpstreamTarget {
  /** Origin-form (RFC 9112 section 3.2.1): path and query, byte for byte as they came. */
  readonly path: string;
  /** The authority of an absolute-form target, null for origin-form. */
  readonly authority: string | null;
}

/**
 * Origin-form stays as it is. Absolute-form, which clients send to what they take for a forward proxy, loses scheme and
 * authority; nothing is decoded, folded or cut.
 *
 * @returns null for a target that is neither.
 */
export function upstreamTarget(target: string): UpstreamTarget | null {
  if (target.startsWith('/')) return { path: target, authority: null };
  const [, authority, rest] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  if (authority === undefined || rest === undefined || !isHost(authority)) return null;
  return { path: rest.startsWith('/') ? rest : `/${rest}`, authority };
}
