import { FEED_FORMATS, FEED_KINDS } from './feed-source.ts';
import { choice, derived, list, nullable, section, text, textOrSection } from './schema-types.ts';

/** The part `datasets` of the configuration. */
export const datasetsSchema = section('Facts about domains and networks, and the feeds that refresh them.', {
  refresh: derived(
    text(
      'Time between downloads of the feeds. With off, only `gatekeeper data update` downloads them.',
      'duration-or-off',
    ),
    '`24h` when `feeds` names a source of the catalogue, else `off`',
  ),
  asn_mmdb: nullable(
    text('File in MaxMind format with AS numbers. It overrides built-in data.', 'file'),
    'built-in data',
  ),
  country_mmdb: nullable(
    text('File in MaxMind format with countries. It overrides built-in data.', 'file'),
    'built-in data',
  ),
  anonymous_ip_mmdb: nullable(text('File in MaxMind format with anonymous networks.', 'file'), 'none'),
  feeds: list(
    'Lists to download over http or https: names of the catalogue ([data sources](data-sources.md)), and your own lists with one entry on each line and # comments, a JSON array of strings, or columns.',
    textOrSection(
      'One feed: the name of a source of the catalogue, or your own list.',
      {
        name: text('Name of the feed in `gatekeeper data status`.', 'name'),
        kind: choice('Kind of the entries.', FEED_KINDS),
        url: text('URL of the list.', 'web-url', { secret: 'password' }),
        format: choice(
          'Format of the list. auto detects lines and json from the content; csv takes the first column.',
          FEED_FORMATS,
        ),
      },
      ['name', 'kind', 'url'],
      'feed-name',
    ),
    100,
  ),
});
