import { fileURLToPath } from 'node:url';

/** The built-in data sets: beside `src` in a checkout and beside `dist` in the package. */
export const DATASETS_FOLDER = fileURLToPath(new URL('../../datasets/', import.meta.url));
