import type { Config } from './config.ts';
import { verifiesByMail } from './verifies-by-mail.ts';

/** Combinations of settings that this version does not support, as sentences with the remedy. */
export function findUnsupported(config: Config): readonly string[] {
  return config.workers > 1 ? findOfOneProcess(config) : [];
}

/** Settings that do not work with several processes. */
function findOfOneProcess(config: Config): string[] {
  const found: string[] = [];
  if (config.storage.counters === 'memory') {
    found.push(
      'workers: several processes count together in Redis only; set storage.counters, such as redis://localhost:6379, or use workers: 1',
    );
  }
  if (config.mail.smtp === null && (verifiesByMail(config) || config.dashboard.registration === 'open')) {
    found.push(
      'workers: without a mail server, each process shows only its own mails; set mail.smtp, or use workers: 1',
    );
  }
  return found;
}
