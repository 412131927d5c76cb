/** What the process asks of the reader's thread. */
export type ReaderRequest =
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly kind: 'close' };

/** Its answer; one a query, in order. An error travels as its name and message, which is all that callers look at. */
export type ReaderAnswer =
  | { readonly rows: readonly unknown[] }
  | { readonly error: { readonly name: string; readonly message: string } };

/** What the thread is started with. */
export interface ReaderData {
  readonly file: string;
}
