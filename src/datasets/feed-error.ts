/** A feed could not be fetched, or what came is no such list. The last good one stays. The message is for a person. */
export class FeedError extends Error {
  override readonly name = 'FeedError';
}
