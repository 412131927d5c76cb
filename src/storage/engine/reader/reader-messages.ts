/** A message from the process to the reader's thread. */
export type ReaderRequest =
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly kind: 'close' };

/** The thread's answers in order, one for each query. Callers use only the name and the message of an error. */
export type ReaderAnswer =
  | { readonly rows: readonly unknown[] }
  | { readonly error: { readonly name: string; readonly message: string } };

/** The thread's start data. */
export interface ReaderData {
  readonly file: string;
}
