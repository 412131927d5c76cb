/**
 * A feed could not be fetched, or its content is not such a list. The last good copy stays. The message is for people.
 */
export class FeedError extends Error {
  override readonly name = 'FeedError';
}
