import { domains, textLike, textsLike } from '../generate-tables/item-rules.ts';
import { createTableReader, type ItemRule } from '../generate-tables/table-reader.ts';

const SOURCE = 'data/tables/mail-domains.yaml';
const LISTS = ['written_on', 'relays', 'free_providers', 'paid_suffixes', 'not_hosts', 'not_roles'];

/** @throws {Error} with every issue and its line. */
export function readKnownDomains(yaml: string) {
  const reader = createTableReader(SOURCE, yaml);
  const groups = (list: string, rule: ItemRule<string>) =>
    reader.keys([list]).flatMap((group) => reader.items([list, group], rule));
  reader.keys([], LISTS);
  const known = {
    RELAYS: groups('relays', domains()),
    FREE_PROVIDERS: groups('free_providers', domains()),
    PAID_SUFFIXES: reader.items(['paid_suffixes'], domains()),
    NOT_HOSTS: reader.items(['not_hosts'], domains()),
    NOT_ROLES: groups('not_roles', textsLike(/^[a-z\d]+$/, 'a word in lower case')),
    WRITTEN_ON: reader.optional(['written_on'], textLike(/^\d{4}-\d{2}-\d{2}$/, 'a date, YYYY-MM-DD')) ?? '',
  };
  if (reader.issues.length > 0) throw new Error(`${SOURCE} has issues:\n${reader.issues.join('\n')}`);
  return known;
}
