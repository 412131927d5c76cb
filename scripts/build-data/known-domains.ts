import { readFileSync } from 'node:fs';
import { readKnownDomains } from './read-known-domains.ts';

const file = new URL('../../data/tables/mail-domains.yaml', import.meta.url);

/** The domains and names of `data/tables/mail-domains.yaml`, which says why each list is there. */
export const { RELAYS, FREE_PROVIDERS, PAID_SUFFIXES, NOT_HOSTS, NOT_ROLES, WRITTEN_ON } = readKnownDomains(
  readFileSync(file, 'utf8'),
);
