import { readFileSync } from 'node:fs';
import { parseYaml } from './parse-yaml.ts';

/** The file is beside `src` in the repository and beside `dist` in the package. */
const FILE = new URL('../../config/defaults.yaml', import.meta.url);

/** The built program has the parsed document in place of this module: `scripts/bundle-program.js` puts it there. */
export function readDefaults(): unknown {
  return parseYaml(readFileSync(FILE, 'utf8')).value;
}
