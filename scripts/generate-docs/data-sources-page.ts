import type { FeedSource } from '../../src/config/feed-source.ts';
import { table } from './table.ts';

/** `docs/data-sources.md`: the lists that `datasets.feeds` can name, and how feeds behave. */
export function dataSourcesPage(sources: readonly FeedSource[]): string {
  const rows = sources.map(({ name, kind, licence, renewed, purpose }) => [
    `\`${name}\``,
    ...[kind, purpose, renewed, licence],
  ]);
  const addresses = sources.flatMap(({ name, publisher, urls }) => [
    `- \`${name}\`, published by ${publisher}:`,
    ...urls.map((url) => `  - <${url}>`),
  ]);
  return [
    INTRODUCTION,
    ...table(['name', 'kind', 'what it is good for', 'renewed', 'licence'], rows),
    '',
    'The URLs of each list, in the order in which Gatekeeper tries them:',
    '',
    ...addresses,
    '',
    BEHAVIOUR,
  ].join('\n');
}

const INTRODUCTION = `<!-- Generated from data/sources.yaml by scripts/generate-docs.ts -->
# Data sources

Gatekeeper works offline: the data inside the package know disposable domains, providers, networks, countries and browsers.
\`gatekeeper data status\` lists them with licence and age. **Feeds** are newer lists that Gatekeeper downloads while it runs. Name
those that you want:

\`\`\`yaml
datasets:
  feeds: [tor-exits, vpn, relay]
\`\`\`

Nothing is downloaded without a feed in the configuration. \`gatekeeper data catalogue\` prints this catalogue:
`;

const BEHAVIOUR = `A licence "none stated" means that the publisher offers the list to everyone and names no licence. Read the publisher's terms
before you pass a list on. Gatekeeper keeps its copies in the storage folder and sends them nowhere.

## Your own lists

\`\`\`yaml
datasets:
  refresh: 6h
  feeds:
    - tor-exits
    - {name: my-proxies, kind: proxy, url: "https://lists.example/proxies.txt"}
    - {name: office-vpn, kind: vpn, url: "https://lists.example/ranges.csv", format: csv}
\`\`\`

The kinds are \`disposable\` (domains) and \`tor\`, \`vpn\`, \`datacenter\`, \`proxy\`, \`blocklist\`, \`relay\` (addresses, networks and
ranges of both families). A list has one entry on each line with \`#\` comments, or is a JSON array of strings. With \`format: csv\`,
the first column counts. [Configuration](configuration.md#datasets) lists all keys.

## Downloads

- **When.** With a name of the catalogue, feeds are downloaded every 24 hours, the first time at the start. \`datasets.refresh\` sets
  another interval, or \`off\`; without a name of the catalogue the default is \`off\`. \`gatekeeper data update\` downloads all feeds
  now, and running processes notice it within ten seconds.
- **Mirrors.** When a URL fails or does not return its list, Gatekeeper tries the next URL of the same source. When all
  fail, the last good copy stays in use, and the feeds are tried again after ten minutes.
- **Refused content.** Web pages, empty lists, lists of which more than a tenth is unreadable, and networks wider than /8 (IPv6: /16)
  are refused. A list that lost more than half of its entries is refused for a day, or until \`gatekeeper data update
  --accept-shrunk\`.
- **Protected names.** A feed of disposable domains cannot mark the great mail providers, schools and governments.
- **Age.** A feed is *old* when its last download is older than twice \`refresh\` and a day, or older than a week without
  \`refresh\`, or when no download succeeded. Then \`gatekeeper data status\` and the overview of the dashboard show it in red, \`/readyz\` lists it
  under \`old_feeds\`, \`/metrics\` has \`gatekeeper_dataset_old\`, and \`gatekeeper doctor\` says what to do.
`;
