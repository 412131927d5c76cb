/**
 * A feed could not be fetched, or its content is not a list of the expected kind. The last good copy stays in use. The
 * message is for people.
 */
export class FeedError extends Error {
  override readonly name = 'FeedError';
}
