/** Writes `NOTICE` from the lock file and the data sources. Run it when a dependency or a data source changes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderNotice } from './build-data/render-notice.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
writeFileSync(join(root, 'NOTICE'), renderNotice(root));
