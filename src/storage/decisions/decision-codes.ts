import { FACTORS, notEvaluatedCode, type ReasonCode } from '../../assessment/reasons.ts';
import type { Examinations, ListVerdict } from '../../assessment/score.ts';

/**
 * Every reason code of a decision, each between two spaces, as the column `codes` keeps them: what lists said, then by
 * factor the classification, the findings and what was not evaluated. A code stands once.
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

/** The codes in the column's text, in its order. */
export function readCodes(codes: string): readonly ReasonCode[] {
  return codes.split(' ').filter((code) => code !== '') as ReasonCode[];
}
