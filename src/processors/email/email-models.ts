import { type BurnerNameModel, loadBurnerNameModel } from './burner-name-model.ts';
import { type KnownSites, loadKnownSites } from './known-sites.ts';
import { loadRandomLocalPartTest, type RandomLocalPartTest } from './random-local-part.ts';

/** The models that `npm run train` made from names. */
export interface EmailModels {
  readonly burnerNames: BurnerNameModel;
  readonly knownSites: KnownSites;
  readonly isRandomLocalPart: RandomLocalPartTest;
}

/**
 * @param folder `models/` of the package.
 * @throws {Error} when a file is missing or damaged.
 */
export function loadEmailModels(folder: string): EmailModels {
  return {
    burnerNames: loadBurnerNameModel(folder),
    knownSites: loadKnownSites(folder),
    isRandomLocalPart: loadRandomLocalPartTest(folder),
  };
}
