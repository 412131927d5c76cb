import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from '../../scripts/random.ts';
import { loadFrom } from '../../src/cli/load-config.ts';
import type { Config } from '../../src/config/config.ts';
import { openDatasets } from '../../src/datasets/open-datasets.ts';
import type { DecisionLine } from '../../src/decisions/decision-recorder.ts';
import { openSecrets } from '../../src/secrets/open-secrets.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createOperator, type Operator } from '../operator.ts';
import { type Crowd, createCrowd } from '../senders/crowd.ts';
import { pastWeek } from './past-week.ts';
import { writeHistory } from './write-history.ts';

/** What a demo has before Gatekeeper starts on its folder. */
export interface Prepared {
  readonly operator: Operator;
  /** Of the gate's signatures. */
  readonly assertionSecret: string;
  /** The people and networks of the past week, and of the buttons. */
  readonly crowd: Crowd;
}

export interface PrepareOptions {
  readonly folder: string;
  /** The configuration, in that folder. */
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
  readonly random: Random;
  /** Receives every decision of the past week, oldest first. */
  readonly decided: DecisionLine;
}

const DATASETS_FOLDER = fileURLToPath(new URL('../../datasets/', import.meta.url));

const WEEK_MS = 7 * 86_400_000;
const LOOK_EVERY_MS = 30 * 60_000;

/**
 * Makes the records of a week: an operator, and decisions on simulated signups.
 *
 * @throws Error that names the file and the remedy, when the data sets are not built.
 */
export async function prepareRecords(options: PrepareOptions): Promise<Prepared> {
  const { folder, file, env, random, decided } = options;
  const config = loadConfig(file, { folder, env });
  const [datasets, records, secrets] = await Promise.all([
    openDatasets({
      folder: DATASETS_FOLDER,
      feedsFolder: join(folder, 'feeds'),
      config: config.datasets,
      clock: Date.now,
    }),
    openStorage({ url: config.storage.records, clock: Date.now }),
    openSecrets(folder),
  ]);
  try {
    const { hashSecret, assertionSecret } = secrets;
    const crowd = createCrowd(datasets.current, random);
    const week = pastWeek(crowd, random, Date.now());
    await writeHistory(week, { config, records, datasets, hashSecret, decided });
    await findPastAttacks(records, Date.now());
    return { operator: await createOperator(records), assertionSecret, crowd };
  } finally {
    await records.close();
    datasets.close();
  }
}

/** Gatekeeper looks for attacks as they happen, and not in a history that was written at once. */
async function findPastAttacks({ attacks, rollups }: Storage, now: number): Promise<void> {
  await rollups.aggregate();
  for (let at = now - WEEK_MS; at <= now; at += LOOK_EVERY_MS) await attacks.detect(at);
}

function loadConfig(file: string, { folder, env }: Pick<PrepareOptions, 'folder' | 'env'>): Config {
  const write = (text: string) => void process.stderr.write(text);
  const context = { cwd: folder, env, write, writeError: write, isTerminal: false, hasColour: false };
  return loadFrom(context)(file).config;
}
