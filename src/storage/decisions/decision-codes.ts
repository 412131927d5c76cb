import { FACTORS, notEvaluatedCode, type ReasonCode } from '../../assessment/reasons.ts';
import type { Examinations, ListVerdict } from '../../assessment/score.ts';

/**
 * All reason codes of a decision as the column `codes` stores them, each once, between two spaces: those of the lists,
 * then by factor the classification, the findings and whether it was not evaluated.
 */
export function codesOf(examinations: Examinations, lists: readonly ListVerdict[]): string {
  let codes = ' ';
  const add = (code: ReasonCode): void => {
    if (!codes.includes(` ${code} `)) codes += `${code} `;
  };
  for (const { code } of lists) add(code);
  for (const factor of FACTORS) {
    const examination = examinations[factor];
    if (examination) {
      add(examination.classification);
      for (const { code } of examination.findings) add(code);
    }
    if (!examination || examination.incomplete !== null) add(notEvaluatedCode(factor));
  }
  return codes;
}

/** The codes of the column `codes`, in their order. */
export function readCodes(codes: string): readonly ReasonCode[] {
  return codes.split(' ').filter((code) => code !== '') as ReasonCode[];
}
