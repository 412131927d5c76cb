import { fileURLToPath } from 'node:url';
import type { DatasetsConfig } from '../../src/config/config.ts';

/** The data sets that `npm run build` made. */
export const builtDatasetsFolder = fileURLToPath(new URL('../../datasets', import.meta.url));

/** No feeds, no files of the user's. */
export const plainDatasetsConfig: DatasetsConfig = {
  refresh: null,
  asn_mmdb: null,
  country_mmdb: null,
  anonymous_ip_mmdb: null,
  feeds: [],
};
