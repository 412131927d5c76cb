/** From the process to the reader's thread. */
export type ReaderRequest =
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly kind: 'close' };

/** The thread's answers, one a query, in order. Of an error, callers use the name and the message only. */
export type ReaderAnswer =
  | { readonly rows: readonly unknown[] }
  | { readonly error: { readonly name: string; readonly message: string } };

/** The thread's start data. */
export interface ReaderData {
  readonly file: string;
}
