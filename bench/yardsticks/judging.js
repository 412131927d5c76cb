// What both yardsticks share with Gatekeeper: the same judge, from what was built, under the same configuration.
// They keep nothing: no decision is recorded and no quota is counted.
import { randomUUID } from 'node:crypto';
import { parseMailbox } from '../../dist/addresses/email-address.js';
import { parseIpAddress } from '../../dist/addresses/ip-address.js';
import { createAttempt } from '../../dist/assessment/attempt.js';
import { createPseudonymizer } from '../../dist/assessment/identity.js';
import { REASONS } from '../../dist/assessment/reasons.js';
import { loadFrom } from '../../dist/cli/load-config.js';
import { openConfiguredJudge } from '../../dist/configured-judge.js';
import { createMemoryCounters } from '../../dist/counters/memory-counters.js';
import { DATASETS_FOLDER } from '../../dist/datasets/datasets-folder.js';
import { openDatasets } from '../../dist/datasets/open-datasets.js';

/**
 * Opens the judge of the configuration named by the first argument. Returns the keys, by their SHA-256 in hex, and a
 * function from the fields of a signup to the answer; null instead of an answer when email or address cannot be read.
 */
export async function openJudging() {
  const { config } = loadFrom({ cwd: process.cwd(), env: process.env })(process.argv[2]);
  const datasets = await openDatasets({
    folder: DATASETS_FOLDER,
    feedsFolder: process.cwd(),
    config: config.datasets,
    clock: Date.now,
  });
  const judge = openConfiguredJudge({
    datasets,
    counters: createMemoryCounters(),
    log: console,
  }).judgeFor(config);
  const pseudonymize = createPseudonymizer('a yardstick keeps nothing');
  const keys = new Map(config.api.keys.map((key) => [key.sha256, key.name]));

  async function score(fields, account) {
    const mailbox = parseMailbox(fields.email);
    const ip = parseIpAddress(fields.ip_address);
    if (!mailbox || !ip) return null;
    const receivedAt = Date.now();
    const attempt = createAttempt(
      {
        requestId: randomUUID(),
        receivedAt,
        door: 'api',
        scope: account,
        route: null,
        email: { mailbox },
        ip,
        userAgent: fields.user_agent ?? null,
        headers: null,
      },
      pseudonymize,
    );
    const { trustScore, riskLevel, factors } = await judge.judge(attempt);
    return {
      trust_score: trustScore,
      risk_level: riskLevel,
      reasons: factors.map((factor) => ({
        factor: factor.factor,
        score: factor.score,
        reason_code: factor.reason.code,
        description: REASONS[factor.reason.code].description,
        risk_level: factor.riskLevel,
      })),
      request_id: attempt.requestId,
      processed_at: new Date(receivedAt).toISOString(),
    };
  }

  return { keys, score };
}
