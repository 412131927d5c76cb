import type { IpAddress } from '../../addresses/ip-address.ts';
import { parseIpAddress } from '../../addresses/ip-address.ts';
import type { BoundedResolver, DnsAnswer } from './bounded-resolver.ts';

/** The combined answer of the zones. */
export interface BlockListAnswer {
  /** Zones that list the address. */
  readonly listedBy: readonly string[];
  /** The reason why some zones did not answer, such as `timeout`; null when all answered. */
  readonly unknown: string | null;
}

/**
 * Queries DNS block lists for an address (RFC 5782): when it is listed, the reversed address below the zone has an
 * address in 127.0.0.0/8. All zones are queried in parallel, each within the resolver's deadline.
 */
export function askBlockLists(
  ip: IpAddress,
  zones: readonly string[],
  resolver: BoundedResolver,
): BlockListAnswer | Promise<BlockListAnswer> {
  const reversed = reversedName(ip);
  const answers = zones.map((zone) => resolver.a(`${reversed}.${zone}`));
  const combine = (settled: readonly DnsAnswer<string>[]) => combineAnswers(zones, settled);
  return answers.some((answer) => answer instanceof Promise)
    ? Promise.all(answers).then(combine)
    : combine(answers as DnsAnswer<string>[]);
}

/** Reverses the address: `203.0.113.7` becomes `7.113.0.203`. IPv6 is reversed by hexadecimal digits. */
export function reversedName({ family, words }: IpAddress): string {
  const digits = family === 4 ? [24, 16, 8, 0] : [28, 24, 20, 16, 12, 8, 4, 0];
  const mask = family === 4 ? 0xff : 0xf;
  const labels = words.flatMap((word) => digits.map((shift) => (word >>> shift) & mask));
  return labels
    .reverse()
    .map((label) => label.toString(family === 4 ? 10 : 16))
    .join('.');
}

type ZoneVerdict = 'listed' | 'clean' | { readonly unknown: string };

function combineAnswers(zones: readonly string[], answers: readonly DnsAnswer<string>[]): BlockListAnswer {
  const listedBy: string[] = [];
  let unknown: string | null = null;
  for (const [i, answer] of answers.entries()) {
    const zone = zones[i] ?? '';
    const verdict = verdictOf(zone, answer);
    if (verdict === 'listed') listedBy.push(zone);
    else if (verdict !== 'clean') unknown ??= verdict.unknown;
  }
  return { listedBy, unknown };
}

function verdictOf(zone: string, answer: DnsAnswer<string>): ZoneVerdict {
  if (answer.state === 'none') return 'clean';
  if (answer.state === 'unknown') return { unknown: answer.why };
  const codes = answer.records.map((record) => parseIpAddress(record)?.words[0] ?? 0);
  // An address outside 127.0.0.0/8 is not the list's answer: the zone has expired, or the resolver inserts
  // advertisements.
  if (codes.some((code) => code >>> 24 !== 127)) return { unknown: 'not a block list' };
  // 127.255.255.0/24 means that the list refused: a public resolver, or too many queries (Spamhaus).
  if (codes.some((code) => code >>> 8 === 0x7fffff)) return { unknown: 'refused' };
  return codes.every((code) => isPolicyCode(zone, code)) ? 'clean' : 'listed';
}

/**
 * Spamhaus answers 127.0.0.10 and .11 (PBL, part of ZEN) for addresses that should not send mail directly. Nearly every
 * home IP address is listed there, so this answer says nothing about a signup.
 */
function isPolicyCode(zone: string, code: number): boolean {
  return /(^|\.)spamhaus\.(org|net)$/i.test(zone) && (code === 0x7f00000a || code === 0x7f00000b);
}
