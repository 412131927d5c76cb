/**
 * Learns what throwaway domains are called and which letters follow each other in words: writes `models/`;
 * `npm run train`.
 * The data for evaluation in `../shared/data` is never read here: `npm run evaluate` measures on it.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDomainName } from '../src/addresses/domain-name.ts';
import { createBurnerNameModel, hashName } from '../src/processors/email/burner-name-model.ts';
import { createRandomLocalPartTest } from '../src/processors/email/random-local-part.ts';
import { readWords, trainLetters } from './train/local-parts.ts';
import { type Example, trainLogisticRegression } from './train/logistic-regression.ts';
import { readTrainingLists, type TrainingList } from './train/training-domains.ts';

const models = fileURLToPath(new URL('../models/', import.meta.url));
/** The share of clean names held back, averaged over their lists, that may come out burner-like. */
const FALSE_POSITIVES = 0.01;

const lists = await readTrainingLists();
const examples = lists.flatMap(examplesOf);
console.log(`${examples.length} names to learn from, ${lists.length} lists; every tenth name is held back`);
const { weights, scale } = quantize(trainLogisticRegression(examples));
const model = createBurnerNameModel({ weights, scale, threshold: 0, exceptions: new Set() });
const heldBack = lists.map((list) => ({ list, scores: scoresOf(list) }));
const threshold = thresholdFor(heldBack.filter(({ list }) => !list.isBurner).map(({ scores }) => scores));

const inputs = heldBack.map(({ list: { domains, ...list }, scores }) => ({
  ...list,
  domains: domains.length,
  heldBack: scores.length,
  flaggedPercent: round((100 * scores.filter((score) => score >= threshold).length) / scores.length),
}));
const cleanLists = lists.filter((list) => !list.isBurner);
const exceptions = [...new Set(cleanLists.flatMap(misjudgedNames))].sort();
const content = Buffer.concat([Buffer.from(weights.buffer), wordsOf(exceptions)]);
const sha256 = createHash('sha256').update(content).digest('hex');
writeFileSync(join(models, 'burner-names.bin'), content);
writeFileSync(
  join(models, 'burner-names.json'),
  `${JSON.stringify({ format: 1, sha256, scale, threshold, exceptions: exceptions.length, inputs }, null, 2)}\n`,
);
console.table(inputs);
console.log(
  `threshold ${threshold.toFixed(3)}, ${exceptions.length} exceptions, sha256 ${sha256.slice(0, 12)}`,
);

const words = await readWords();
const letters = trainLetters(words.filter((word) => !isHeldBack(word)));
writeFileSync(join(models, 'local-parts.bin'), letters);
const isRandom = createRandomLocalPartTest(letters);
const heldWords = words.filter((word) => word.length >= 6 && isHeldBack(word));
const taken = heldWords.filter(isRandom).length;
console.log(
  `${words.length} words; of ${heldWords.length} held back ${round((100 * taken) / heldWords.length)} % look random`,
);

function examplesOf({ domains, isBurner, weight }: TrainingList): Example[] {
  return domains
    .filter((name) => !isHeldBack(name))
    .flatMap((name) => {
      const domain = parseDomainName(name);
      if (!domain?.registrable || domain.registrable.startsWith('xn--')) return [];
      const { registrable, publicSuffix: suffix } = domain;
      return [{ label: registrable.slice(0, -suffix.length - 1), suffix, isBurner, weight }];
    });
}

/** A tenth of all names, the same in every list, by their hash. */
function isHeldBack(name: string): boolean {
  return (createHash('sha256').update(name).digest()[0] ?? 0) < 26;
}

/** Clean names, held back or not, that the finished model would flag: it is told of them. */
function misjudgedNames({ domains }: TrainingList): string[] {
  return domains.filter((name) => {
    const domain = parseDomainName(name);
    return domain !== null && (model.score(domain) ?? 0) >= threshold;
  });
}

function wordsOf(names: readonly string[]): Buffer {
  const words = Buffer.alloc(names.length * 4);
  names.forEach((name, i) => {
    words.writeUInt32LE(hashName(name), i * 4);
  });
  return words;
}

function scoresOf({ domains }: TrainingList): number[] {
  return domains.filter(isHeldBack).flatMap((name) => {
    const domain = parseDomainName(name);
    const score = domain && model.score(domain);
    return score === null ? [] : [score];
  });
}

/** A few huge weights would cost all others their precision, so the outermost are cut. */
function quantize(exact: Float32Array): { weights: Int8Array<ArrayBuffer>; scale: number } {
  const sizes = exact.map(Math.abs).sort();
  const scale = (sizes[Math.floor(sizes.length * 0.9998)] ?? 1) / 127;
  return {
    weights: Int8Array.from(exact, (w) => Math.max(-127, Math.min(127, Math.round(w / scale)))),
    scale,
  };
}

/** The lowest score that the allowed share of clean names reaches. Each list counts the same, however long it is. */
function thresholdFor(lists: readonly (readonly number[])[]): number {
  const weighted = lists.flatMap((scores) => scores.map((score) => ({ score, share: 1 / scores.length })));
  let flagged = 0;
  for (const { score, share } of weighted.sort((a, b) => b.score - a.score)) {
    flagged += share;
    if (flagged > FALSE_POSITIVES * lists.length) return round(score);
  }
  return 0;
}

function round(value: number): number {
  return Number(value.toFixed(3));
}
