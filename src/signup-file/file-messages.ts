import type { FileToSimulate, SimulatedFile } from '../simulation/upload/simulated-file.ts';

/** The start data of the thread. */
export type FileThreadData = FileToSimulate;

/** A message of the thread: progress, then one result or error. */
export type FileThreadMessage =
  | { readonly kind: 'progress'; readonly judged: number; readonly of: number }
  | { readonly kind: 'result'; readonly result: SimulatedFile }
  /** The error as a sentence for the operator. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };
