/** The real names, as every command passes them to the loader. */
export { KNOWN_NAMES as knownNames } from '../../src/known-names.ts';
