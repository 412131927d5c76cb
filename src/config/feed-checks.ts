import type { CheckContext } from './checks.ts';
import { closest } from './closest.ts';
import { type FeedSource, namesOf } from './feed-source.ts';
import { shorten } from './pointer.ts';

/** Names that the catalogue does not have, and names that two feeds have: their copies would overwrite each other. */
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
      // Not repeated, because it may hold a password.
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
    else if (first !== undefined) issue(place, `the same name as [${first}]`, 'every name stands once');
    seen.set(name.toLowerCase(), first ?? i);
  }
}

/** A name that was nearly right, or a kind in place of a name; and the list, because it is short. */
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
