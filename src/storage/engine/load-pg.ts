import { createRequire } from 'node:module';
import type pg from 'pg';

const require = createRequire(import.meta.url);

/** The driver of PostgreSQL, which is loaded by the first call: with SQLite the program starts without it. */
export function loadPg(): typeof pg {
  return require('pg');
}

/**
 * The client of the driver, which closes its socket when it cannot connect. The driver leaves it open when the URL lacks the
 * password that the server wants, and a command would end only a minute later, when the server closes it.
 */
export function loadClient(): new () => pg.ClientBase {
  const { Client } = loadPg();
  return class extends Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      if (!callback) return super.connect();
      super.connect((error: Error) => {
        if (error) this.end().catch(() => {});
        callback(error);
      });
    }
  };
}
