import type { PinnedPackage } from './fetch-package.ts';

/** What the names of a list are: false alarms are counted for each world by itself. */
export type NameWorld = 'burners' | 'earlier_burners' | 'schools' | 'sites' | 'hosts' | 'organisations';

export function isBurnerWorld(world: NameWorld): boolean {
  return world === 'burners' || world === 'earlier_burners';
}

/** A package that is read for training alone. */
export interface TrainingPackage extends PinnedPackage {
  readonly licence: string;
  /** How much each of its names counts. */
  readonly weight: number;
  readonly world: NameWorld;
}

/**
 * Clean names of many kinds, read for training alone: hsd (a Handshake node) reserves the 90,000 most visited domains
 * of 2019; third-party-web lists the hosts that other sites load from, in HTTP Archive's crawls; the name suggestion
 * index knows the sites of companies, schools and authorities of the whole world.
 */
export const CLEAN_PACKAGES: readonly TrainingPackage[] = [
  {
    name: 'hsd',
    version: '8.0.0',
    integrity:
      'sha512-JKkgewGeHZZJbLm0zaFSy5kbNc2AVEEFoM7VHwNhRr5AYM9adUzRN815+e1HBfYTHKybtyD9HTKkr+jb5LRapw==',
    licence: 'MIT',
    weight: 0.6,
    world: 'sites',
  },
  {
    name: 'name-suggestion-index',
    version: '8.0.20260918',
    integrity:
      'sha512-g09kxye3aswAETIa//gA56MjonmjcyXCzdIwlDhpBVAwLKXOUJA1QZL5eE4ZRstTFFx9I2o9eARONUXVC72SAw==',
    licence: 'BSD-3-Clause',
    weight: 2,
    world: 'organisations',
  },
  {
    name: 'simple-icons',
    version: '16.37.0',
    integrity:
      'sha512-8mCJIhpMYOL9g13GW59EiL3sVXJnTEKGCTZFaekl9UQ3Qo0SwVjnLaJ82QiaH8BKBdouEDzrHMXIWh8cBIy48A==',
    licence: 'CC0-1.0',
    weight: 2,
    world: 'organisations',
  },
  {
    name: '@duckduckgo/autoconsent',
    version: '16.23.0',
    integrity:
      'sha512-NTmDhASFf5pUsSwg2TyT9R75GYUcuYZXPyBnRcYgJgozg6RLeXXP9uH8ADxA364yQ2gJBMu83AN/D24Y4nkPKg==',
    licence: 'MPL-2.0',
    weight: 2,
    world: 'organisations',
  },
  {
    name: 'third-party-web',
    version: '0.30.0',
    integrity:
      'sha512-p+PfyL5U0ediGzvwPzMSdD9MnC8rHW6nWJJVLIQvqN7RsSqfaZ+7n4c9GILqH36EYR0eXB9CzAeCRnKFr/9uJg==',
    licence: 'MIT',
    weight: 0.15,
    world: 'hosts',
  },
];

/**
 * Earlier versions of `fakefilter`: it drops domains that stop to receive mail, but their names still show how such
 * domains are called.
 */
export const EARLIER_BURNERS: readonly TrainingPackage[] = [
  {
    name: 'fakefilter',
    version: '0.1.191',
    integrity:
      'sha512-6dP13kYWYZ9pXiH5jQedUJTOIUxnkC2imUwhUjt6KEOJFKCyes2I7hpuzf0sdg2tFgFZuqgrwk7UV2OCaOSCiw==',
    licence: 'BSD-3-Clause',
    weight: 5,
    world: 'earlier_burners',
  },
  {
    name: 'fakefilter',
    version: '0.1.729',
    integrity:
      'sha512-SfpatWdTIGzSMhr2NLgp+Kyslhntw5GoY5IFxqY2z9X3zwgZ589S7NEKYsRfl4Euur5TyeC01iWKt4qrk149yg==',
    licence: 'BSD-3-Clause',
    weight: 5,
    world: 'earlier_burners',
  },
  {
    name: 'fakefilter',
    version: '0.1.966',
    integrity:
      'sha512-kVZ+ekJlGEO316T4HfcAS8oMtZwsrPfsTJ3ZuAWTPIzFQRaO0UZ32u3mYZ3hw3D1x1nCmAHkG1nqu+6fIZI8RQ==',
    licence: 'BSD-3-Clause',
    weight: 5,
    world: 'earlier_burners',
  },
  {
    name: 'fakefilter',
    version: '0.1.1206',
    integrity:
      'sha512-gk3smYXnZF4RSouo+6CezU1rCL0A1FLnoh65ZZgas/bkjw56hI32I1FObNlXVReAC8KJ+pUGAXYqomKcPAPj1g==',
    licence: 'BSD-3-Clause',
    weight: 5,
    world: 'earlier_burners',
  },
  {
    name: 'fakefilter',
    version: '0.1.1361',
    integrity:
      'sha512-K4jTvfXsrt+vYCyGblcjlBrw16bMPNtWm0kRVfyVaHwc7I10WuosQL9d0sB16GD4RQTieEhOEJabR14MNkVMsQ==',
    licence: 'BSD-3-Clause',
    weight: 5,
    world: 'earlier_burners',
  },
];

/** Earlier versions of the other curated list. Only the measurement with later names reads them. */
export const EARLIER_BLOCKLISTS: readonly TrainingPackage[] = [
  {
    name: 'disposable-email-domains-js',
    version: '1.7.0',
    integrity:
      'sha512-qcIJcnXjDvH8EEt0tyAesk1sZVGU5ZFtW6Wys2wKCAcbUf5nJYfwZfT7Z0PVA/LBMlqd/Xgk9dXN2Q3fx7NFAg==',
    licence: 'CC0-1.0',
    weight: 10,
    world: 'burners',
  },
  {
    name: 'disposable-email-domains-js',
    version: '1.14.0',
    integrity:
      'sha512-8TAXL3k5XfyZTvSrroAG91H6CHG90onTnWv44fU1Xk0W4np7KbDw4dlm1uaGzBYioDfjeiLvp3Lpw4ZYAuA2vA==',
    licence: 'CC0-1.0',
    weight: 10,
    world: 'burners',
  },
  {
    name: 'disposable-email-domains-js',
    version: '1.24.0',
    integrity:
      'sha512-IQz+XkhJYCaT58q2l9Pz5MFAHsHp1vJs3smTeEVpv7/6rvubc9RMbaFb8rQgBoIounXPAJyura5ynovFKrlQrg==',
    licence: 'CC0-1.0',
    weight: 10,
    world: 'burners',
  },
];
