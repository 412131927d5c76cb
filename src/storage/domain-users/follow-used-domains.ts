import type { DomainUserStore } from './domain-user-store.ts';

/** The domains that many people use here, in memory. */
export interface UsedDomains {
  /** @param domain Registrable. */
  has(domain: string): boolean;
}

/** The exact time is not important, since nothing waits for these domains. */
const FOLLOW_EVERY_MS = 60_000;

/** Reads the domains now and every minute until it is closed. While the records do not answer, the last ones stay. */
export async function followUsedDomains({
  records,
  log,
}: {
  readonly records: Pick<DomainUserStore, 'usedDomains'>;
  readonly log: { warn(fields: object, message: string): void };
}): Promise<UsedDomains & { close(): void }> {
  let domains: ReadonlySet<string> = new Set();
  let isReading = false;
  let isFailing = false;
  let isClosed = false;

  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      domains = new Set(await records.usedDomains());
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isClosed) {
        log.warn(
          { err: error },
          'the domains that many people use could not be read; the last known domains stay in use',
        );
      }
      isFailing = true;
    } finally {
      isReading = false;
    }
  }

  await read();
  const timer = setInterval(() => void read(), FOLLOW_EVERY_MS).unref();
  return {
    has: (domain) => domains.has(domain),
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}
