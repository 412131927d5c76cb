import type { Kysely } from 'kysely';

/** One step from a version of the schema to the next. Never changed once released; what it got wrong, the next mends. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Typed loosely: it knows the tables of its own day, not today's. */
  up(db: Kysely<never>): Promise<void>;
}
