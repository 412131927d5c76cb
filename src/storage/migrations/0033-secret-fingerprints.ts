import type { Migration } from '../engine/migrate.ts';
import { fleetSecrets } from './postgres/0014-fleet-secrets.ts';

/** SQLite too says with which hash secret its records were made, so that a copy of them can be compared. */
export const secretFingerprints: Migration = { ...fleetSecrets, version: 33, name: 'secret-fingerprints' };
