import type { CheckContext } from './checks.ts';
import { closest } from './closest.ts';
import { type FeedSource, namesOf } from './feed-source.ts';
import { shorten } from './pointer.ts';

/**
 * Checks that the catalogue has each name, and that no two feeds have the same name: their copies would overwrite each
 * other.
 */
export function checkFeeds({ document, knownNames, isValid, isShaped, issue }: CheckContext): void {
  if (!isShaped('/datasets/feeds')) return;
  const seen = new Map<string, number>();
  for (const [i, feed] of document.datasets.feeds.entries()) {
    const isNamed = typeof feed === 'string';
    const place = isNamed ? `/datasets/feeds/${i}` : `/datasets/feeds/${i}/name`;
    if (!isValid(place)) continue;
    const name = isNamed ? feed : feed.name;
    const first = seen.get(name.toLowerCase());
    if (isNamed && name.includes('://'))
      // The text is not repeated, because it may contain a password.
      issue(
        place,
        'expected the name of a source, not a URL',
        'write your own list as {name: my-list, kind: tor, url: "https://…"}',
      );
    else if (isNamed && !knownNames.feedSources.some((source) => source.name === name))
      issue(
        place,
        `the catalogue has no source "${shorten(name)}"`,
        adviseName(name, knownNames.feedSources),
      );
    else if (first !== undefined) issue(place, `the same name as [${first}]`, 'every name must be unique');
    seen.set(name.toLowerCase(), first ?? i);
  }
}

/** Suggests the name for a misspelled name, or for a kind. Also lists all names, because the list is short. */
function adviseName(name: string, sources: readonly FeedSource[]): string {
  const word = name.trim().toLowerCase();
  const near =
    sources.find((source) => source.name === word) ??
    sources.find((source) => source.kind === word) ??
    sources.find((source) => source.name.startsWith(`${word}-`));
  const meant =
    near?.name ??
    closest(
      word,
      sources.map((source) => source.name),
    );
  const known = `sources are ${namesOf(sources)}`;
  return meant === null
    ? `${known}; your own list needs name, kind and url`
    : `did you mean "${meant}"? ${known}`;
}
