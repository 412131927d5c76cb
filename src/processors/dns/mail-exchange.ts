import { type DomainName, parseDomainName } from '../../addresses/email-address.ts';
import { parseIpAddress, specialRange } from '../../addresses/ip-address.ts';
import type { EvidenceFields } from '../../assessment/evidence-fields.ts';
import type { Finding } from '../../assessment/processor.ts';
import type { DomainSet } from '../../datasets/datasets.ts';
import { nameIn } from '../email/domain-verdict.ts';
import { whyUndeliverable } from '../email/reserved-names.ts';
import type { BoundedResolver, DnsAnswer, MailExchange } from './bounded-resolver.ts';

/** The result of the DNS for a domain's mail. */
export interface MailExchangeVerdict {
  readonly finding: Finding | null;
  /** The reason why the DNS gave no answer; null when it answered. */
  readonly incomplete: string | null;
  /**
   * The target of the domain's mail: the registrable domain of the first mail server, or the IP address of a server in
   * the domain itself. Null when it is unknown.
   */
  readonly server: string | null;
}

const FINE: MailExchangeVerdict = { finding: null, incomplete: null, server: null };

/**
 * Looks up where a domain's mail goes, within one budget for all look-ups. A late answer is in the resolver's cache for
 * the next attempt.
 * @param timeoutMs The limit for both look-ups together.
 */
export function askForMailExchange(
  domain: DomainName,
  { resolver, timeoutMs }: { readonly resolver: BoundedResolver; readonly timeoutMs: number },
  disposable: DomainSet,
): MailExchangeVerdict | Promise<MailExchangeVerdict> {
  const verdict = judgeMailExchange(domain, resolver, disposable);
  if (!(verdict instanceof Promise)) return verdict;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(silent('timeout')), timeoutMs);
    verdict.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Finds the servers for a domain's mail: by its MX records, else by the domain's own IP address (RFC 5321 section 5.1).
 * Only a certain answer counts against the domain; no answer is `incomplete`. At most two look-ups, and no mail server
 * is ever contacted.
 */
function judgeMailExchange(
  domain: DomainName,
  resolver: BoundedResolver,
  disposable: DomainSet,
): MailExchangeVerdict | Promise<MailExchangeVerdict> {
  const { ascii } = domain;
  return after(resolver.mx(ascii), (answer) => {
    if (answer.state === 'unknown') return silent(answer.why);
    if (answer.state === 'found') return judgeRecords(domain, answer.records, { resolver, disposable });
    if (answer.why === 'no_such_name') return undeliverable('no_such_domain', 'the domain does not exist');
    return judgeAddresses(
      resolver.addresses(ascii),
      undeliverable('no_mail_server', 'the domain has neither mail server nor address'),
    );
  });
}

function judgeRecords(
  domain: DomainName,
  records: readonly MailExchange[],
  { resolver, disposable }: { readonly resolver: BoundedResolver; readonly disposable: DomainSet },
): MailExchangeVerdict | Promise<MailExchangeVerdict> {
  const [first] = records;
  // RFC 7505: a single record that names the root refuses all mail.
  if (!first || records.every(({ exchange }) => exchange === '' || exchange === '.')) {
    return undeliverable('null_mx', 'the domain refuses all mail (null MX)');
  }
  const reachable = records.filter(({ exchange }) => !isUnreachableName(exchange));
  const [primary] = reachable;
  if (!primary) {
    return undeliverable(
      'unreachable_mail_server',
      'every mail server it names is a private or reserved one',
    );
  }
  for (const { exchange } of reachable) {
    const burner = burnerBehind(exchange, disposable);
    if (burner !== null) {
      return {
        finding: { code: 'disposable_mail_exchange', evidence: burner, fields: { mail_server: burner } },
        incomplete: null,
        server: burner,
      };
    }
  }
  const server = hostOf(domain, reachable);
  // Each domain may cause only one more look-up. When it has several servers, the first server alone proves nothing.
  if (reachable.length > 1) return { ...FINE, server };
  // A server without an IP address is usually a mistake in its zone, so only an unreachable IP address counts.
  return judgeAddresses(resolver.addresses(primary.exchange), { ...FINE, server }, server);
}

/** The registrable domain of the most preferred servers; null when it is the domain's own. */
function hostOf({ registrable }: DomainName, reachable: readonly MailExchange[]): string | null {
  const [first] = reachable;
  const hosts = reachable
    .filter(({ priority }) => priority === first?.priority)
    .map(({ exchange }) => parseDomainName(exchange.replace(/\.$/, ''))?.registrable ?? null)
    .filter((host) => host !== null);
  // Servers of equal preference come in any order.
  const [host = null] = hosts.sort();
  return host === registrable ? null : host;
}

/** A mail server with only private addresses receives no mail from the internet. */
function judgeAddresses(
  answer: DnsAnswer<string> | Promise<DnsAnswer<string>>,
  whenNone: MailExchangeVerdict,
  server: string | null = null,
): MailExchangeVerdict | Promise<MailExchangeVerdict> {
  return after(answer, (addresses) => {
    if (addresses.state === 'unknown') return silent(addresses.why);
    if (addresses.state === 'none') return whenNone;
    if (addresses.records.every(isUnreachable)) {
      return undeliverable('unreachable_mail_server', 'its mail server has a private address');
    }
    return { ...FINE, server: server ?? [...addresses.records].sort()[0] ?? null };
  });
}

function isUnreachable(address: string): boolean {
  const ip = parseIpAddress(address);
  return ip === null || specialRange(ip) !== null;
}

/** A record should hold a host name (RFC 5321 section 5.1); some hold an address, `localhost`, or an empty name. */
function isUnreachableName(exchange: string): boolean {
  const name = exchange.replace(/\.$/, '');
  const ip = parseIpAddress(name);
  if (ip) return specialRange(ip) !== null;
  const host = parseDomainName(name);
  return host === null || whyUndeliverable(host) !== null;
}

/** The name of the throwaway service that owns a mail server. */
function burnerBehind(exchange: string, disposable: DomainSet): string | null {
  const host = parseDomainName(exchange.replace(/\.$/, ''));
  return host && nameIn(host, disposable);
}

function undeliverable(cause: NonNullable<EvidenceFields['cause']>, evidence: string): MailExchangeVerdict {
  return {
    finding: { code: 'undeliverable_email', evidence, fields: { cause } },
    incomplete: null,
    server: null,
  };
}

function silent(why: string): MailExchangeVerdict {
  return { finding: null, incomplete: `dns: ${why}`, server: null };
}

/** Calls the next step at once when the value is available, so a cached domain needs no promise. */
function after<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
