import type { DomainUserStore } from './domain-user-store.ts';

/** The domains that many people use here, in memory. */
export interface UsedDomains {
  /** Registrable domains. The set is always the same and changes with each reading. */
  readonly domains: ReadonlySet<string>;
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
  const domains = new Set<string>();
  let isReading = false;
  let isFailing = false;
  let isClosed = false;

  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      const used = await records.usedDomains();
      domains.clear();
      for (const domain of used) domains.add(domain);
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
    domains,
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}
