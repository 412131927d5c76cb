import { createRequire } from 'node:module';
import type pg from 'pg';

const require = createRequire(import.meta.url);

/** The driver of PostgreSQL, which is loaded by the first call: with SQLite the program starts without it. */
export function loadPg(): typeof pg {
  return require('pg');
}
