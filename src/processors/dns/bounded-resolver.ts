import { Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import { createBoundedQueue } from './bounded-queue.ts';
import { createResolverBreaker } from './resolver-breaker.ts';
import { createResolverCredibility } from './resolver-credibility.ts';

export interface MailExchange {
  /** The name in lower case; empty for the null MX of RFC 7505. */
  readonly exchange: string;
  readonly priority: number;
}

/** The reason why there is no answer. It is never evidence against the queried name. */
export type DnsFailure = 'timeout' | 'busy' | 'resolver_down' | 'resolver_isolated' | 'server_failure';

/**
 * The answer of the DNS. `none` is a certain answer: the name does not exist, or has no record of this type. `unknown`
 * means no answer.
 */
export type DnsAnswer<T> =
  | { readonly state: 'found'; readonly records: readonly T[] }
  | { readonly state: 'none'; readonly why: 'no_such_name' | 'no_such_record' }
  | { readonly state: 'unknown'; readonly why: DnsFailure };

/** Each query is answered directly from the cache, or by a promise that settles by the deadline. No promise rejects. */
export interface BoundedResolver {
  mx(domain: string): DnsAnswer<MailExchange> | Promise<DnsAnswer<MailExchange>>;
  /** The IPv4 addresses of a name; if it has no IPv4 address, its IPv6 addresses. Both queries have one deadline. */
  addresses(domain: string): DnsAnswer<string> | Promise<DnsAnswer<string>>;
  /** The IPv4 addresses only: DNS block lists answer with these. */
  a(name: string): DnsAnswer<string> | Promise<DnsAnswer<string>>;
  /** Aborts running queries; their callers get `unknown`. */
  close(): void;
}

export interface BoundedResolverOptions {
  /** Addresses with an optional port; empty for the system's servers. */
  readonly servers: readonly string[];
  /**
   * Whether the answer "no such name" counts from servers that have not yet found any name. By default, it counts from
   * configured servers, but not from the system's servers.
   */
  readonly believesStrangers?: boolean;
  /** The time from the query to its answer, including the time in the queue. */
  readonly timeoutMs: number;
  /** A clock in milliseconds, for the age of cache entries and the pause of the breaker. */
  readonly now: () => number;
  readonly maxConcurrent?: number;
  readonly maxQueued?: number;
  readonly cacheEntries?: number;
  readonly foundTtlMs?: number;
  readonly noneTtlMs?: number;
  readonly unknownTtlMs?: number;
  /** After this many unanswered queries in a row, a probe tests the resolver itself. */
  readonly breakAfter?: number;
  readonly probeAfterMs?: number;
  /**
   * Called for each query that was not answered from the cache. A zone that does not answer is not a failure of the
   * resolver.
   */
  readonly outcomes?: { succeeded(): void; failed(because: DnsFailure): void };
}

type Answer = DnsAnswer<MailExchange> | DnsAnswer<string>;
type Unknown = Extract<Answer, { state: 'unknown' }>;

/** The number of records that are used from one answer: a hostile zone may hold thousands. */
const MAX_RECORDS = 32;
/**
 * A query may run for this time after its caller has stopped waiting, so that the late answer is cached for the next
 * query. The query keeps its place in the queue during this time, so the number of queries on the network stays
 * limited.
 */
const LINGER_MS = 500;

/**
 * DNS for the judge. Each query has a deadline, the numbers of running and waiting queries are limited, and equal
 * questions share one query. Answers and failures are cached, and a breaker stops the queries when the resolver is
 * dead. Callers interpret the answers.
 * @throws {Error} when a server is not an address.
 */
export function createBoundedResolver(options: BoundedResolverOptions): BoundedResolver {
  const { timeoutMs, now, servers, believesStrangers = servers.length > 0 } = options;
  const resolver = openResolver(servers, timeoutMs + LINGER_MS);
  const queue = createBoundedQueue(options.maxConcurrent ?? 200, options.maxQueued ?? 1_000);
  const breaker = createResolverBreaker({
    now,
    breakAfter: options.breakAfter ?? 20,
    probeAfterMs: options.probeAfterMs ?? 5_000,
    // The probe asks for the name servers of the root. Every resolver knows them, and even a refusal proves that the
    // resolver works.
    probe: async () => !isSilence(await answerOf(() => resolver.resolveNs('.'))),
  });
  const credibility = createResolverCredibility({
    now,
    tryKnownNames: async () => {
      const answers = await Promise.all([
        answerOf(() => resolver.resolveNs('.')),
        answerOf(() => resolver.resolveMx('gmail.com')),
      ]);
      return answers.some(({ state }) => state === 'found');
    },
  });
  const ttlMs = {
    found: options.foundTtlMs ?? 600_000,
    none: options.noneTtlMs ?? 300_000,
    unknown: options.unknownTtlMs ?? 30_000,
  };
  const cache = new LRUCache<string, Answer>({
    max: options.cacheEntries ?? 20_000,
    ttl: ttlMs.found,
    ttlResolution: 0,
    perf: { now },
  });
  const underWay = new Map<string, Promise<Answer>>();
  let closed = false;

  function ask<A extends Answer>(key: string, query: () => Promise<A>): A | Unknown | Promise<A | Unknown> {
    // A key begins with the kind of query, so its value is an answer of that kind.
    const known = (cache.get(key) ?? underWay.get(key)) as A | Promise<A> | undefined;
    if (known) return known;
    if (closed || breaker.isOpen()) {
      if (!closed) options.outcomes?.failed('resolver_down');
      return { state: 'unknown', why: 'resolver_down' };
    }
    const answer = askWithinDeadline(key, query).finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  }

  async function believed<A extends Answer>(answer: A): Promise<A | Unknown> {
    if (answer.state === 'found') credibility.foundSomething();
    if (answer.state !== 'none' || believesStrangers) return answer;
    return (await credibility.isCredible()) ? answer : { state: 'unknown', why: 'resolver_isolated' };
  }

  function askWithinDeadline<A extends Answer>(key: string, query: () => Promise<A>): Promise<A | Unknown> {
    return new Promise((resolve) => {
      let counted = false;
      const conclude = (answer: A | Unknown) => {
        cache.set(key, answer, { ttl: ttlMs[answer.state] });
        if (!isSilence(answer)) {
          breaker.answered();
          options.outcomes?.succeeded();
        } else if (!counted && !closed) {
          breaker.failed();
          if (answer.why !== 'timeout') options.outcomes?.failed(answer.why);
        }
        counted = true;
        clearTimeout(timer);
        resolve(answer);
      };
      const timer = setTimeout(() => {
        if (ticket?.giveUp()) conclude({ state: 'unknown', why: 'timeout' });
        else resolve({ state: 'unknown', why: 'busy' });
      }, timeoutMs);
      const ticket = queue.enter(async () =>
        conclude(closed ? { state: 'unknown', why: 'resolver_down' } : await believed(await query())),
      );
      if (!ticket) {
        clearTimeout(timer);
        resolve({ state: 'unknown', why: 'busy' });
      }
    });
  }

  return {
    mx: (domain) => ask(`mx ${domain}`, () => askForMx(resolver, domain)),
    addresses: (domain) => ask(`addresses ${domain}`, () => askForAddresses(resolver, domain)),
    a: (name) => ask(`a ${name}`, () => answerOf(() => resolver.resolve4(name))),
    close() {
      closed = true;
      resolver.cancel();
    },
  };
}

function openResolver(servers: readonly string[], timeoutMs: number): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  if (servers.length === 0) return resolver;
  try {
    resolver.setServers(servers);
  } catch (cause) {
    const message = `DNS servers must be IP addresses with an optional port, but got ${servers.join(', ')}`;
    throw new Error(message, { cause });
  }
  return resolver;
}

function askForMx(resolver: Resolver, domain: string): Promise<DnsAnswer<MailExchange>> {
  return answerOf(async () => {
    const records = await resolver.resolveMx(domain);
    return records
      .map(({ exchange, priority }) => ({ exchange: exchange.toLowerCase(), priority }))
      .sort((a, b) => a.priority - b.priority);
  });
}

async function askForAddresses(resolver: Resolver, domain: string): Promise<DnsAnswer<string>> {
  const ipv4 = await answerOf(() => resolver.resolve4(domain));
  if (ipv4.state !== 'none' || ipv4.why === 'no_such_name') return ipv4;
  return answerOf(() => resolver.resolve6(domain));
}

async function answerOf<T>(query: () => Promise<readonly T[]>): Promise<DnsAnswer<T>> {
  try {
    const records = await query();
    if (records.length === 0) return { state: 'none', why: 'no_such_record' };
    return { state: 'found', records: records.slice(0, MAX_RECORDS) };
  } catch (error) {
    return answerOfFailure(error);
  }
}

/** The codes of c-ares, from the list in node:dns. */
function answerOfFailure(error: unknown): DnsAnswer<never> {
  switch (error instanceof Error && 'code' in error ? error.code : null) {
    case 'ENOTFOUND':
      return { state: 'none', why: 'no_such_name' };
    case 'ENODATA':
      return { state: 'none', why: 'no_such_record' };
    case 'ETIMEOUT':
      return { state: 'unknown', why: 'timeout' };
    case 'ECONNREFUSED':
    case 'ECANCELLED':
      return { state: 'unknown', why: 'resolver_down' };
    default:
      return { state: 'unknown', why: 'server_failure' };
  }
}

/** Whether no server answered. An answer without usable data is different. */
function isSilence(answer: DnsAnswer<unknown>): answer is Unknown {
  return answer.state === 'unknown' && answer.why !== 'server_failure';
}
