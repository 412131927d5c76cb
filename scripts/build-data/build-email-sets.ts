import { type BuiltSet, domainSet, textSet } from './built-set.ts';
import { deriveEmailSets } from './email-sets.ts';
import { RELAYS, WRITTEN_ON } from './known-domains.ts';
import { type DataSource, npmPackage, ownPackage } from './npm-package.ts';
import { academicSuffixes, governmentSuffixes } from './public-suffixes.ts';
import { readEmailSources } from './read-sources.ts';

/** All data sets about email domains and local parts, from the packages installed. */
export function buildEmailSets(): BuiltSet[] {
  const from = readEmailSources();
  const governments = governmentSuffixes();
  const sets = deriveEmailSets({
    curated: [from.disposableEmailDomainsJs.entries, from.fakefilter.entries],
    wide: [from.mailchecker.entries, from.disposableDomains.entries],
    providers: from.emailProviders.entries,
    commonProviders: from.commonProviders,
    schools: from.swot.entries,
    schoolSuffixes: academicSuffixes(),
    governments,
    roles: from.roleAddresses.entries,
  });
  const burners = [from.disposableEmailDomainsJs, from.fakefilter, from.mailchecker, from.disposableDomains];
  // The public suffix list is inside tldts.
  const suffixes: DataSource = { ...npmPackage('tldts'), licence: 'MPL-2.0', count: governments.length };
  const { name, version } = ownPackage();
  const written: DataSource = { name, version, licence: 'MIT', count: RELAYS.length, date: WRITTEN_ON };
  return [
    domainSet('disposable', sets.disposable, burners),
    domainSet('suspected', sets.suspected, burners),
    domainSet('free-subdomain-hosts', sets.freeSubdomainHosts, burners),
    domainSet('free-providers', sets.freeProviders, [from.emailProviders]),
    domainSet('protected-providers', sets.protectedProviders, [from.emailProviders]),
    domainSet('academic', sets.academic, [from.swot, suffixes]),
    domainSet('government', governments, [suffixes]),
    domainSet('relays', sets.relays, [written]),
    textSet('roles', sets.roles, [from.roleAddresses]),
  ];
}
