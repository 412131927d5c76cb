import { accessSync, constants, statSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { reasonOf } from '../config/read-text-file.ts';

interface NamedFile {
  readonly place: string;
  readonly path: string | null;
}

/**
 * Files that a configuration names and that cannot be read from here, one sentence each. Only `gatekeeper check` asks:
 * what opens them says so itself.
 */
export function findUnreadableFiles({ proxy, datasets }: Config): string[] {
  const files: readonly NamedFile[] = [
    { place: 'proxy.tls.cert', path: proxy?.tls?.cert ?? null },
    { place: 'proxy.tls.key', path: proxy?.tls?.key ?? null },
    ...(proxy?.routes ?? []).map(({ name, block_page }) => ({
      place: `the block_page of route "${name}"`,
      path: block_page,
    })),
    { place: 'datasets.asn_mmdb', path: datasets.asn_mmdb },
    { place: 'datasets.country_mmdb', path: datasets.country_mmdb },
    { place: 'datasets.anonymous_ip_mmdb', path: datasets.anonymous_ip_mmdb },
  ];
  return files.flatMap(({ place, path }) => {
    const reason = path === null ? null : whyUnreadable(path);
    return reason === null ? [] : [`${place}: cannot read ${path}: ${reason}`];
  });
}

function whyUnreadable(path: string): string | null {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile() ? null : 'it is no regular file';
  } catch (error) {
    return reasonOf(error);
  }
}
