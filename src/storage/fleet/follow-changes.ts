import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { PostgresPool } from '../engine/postgres-pool.ts';
import type { PostgresSession } from '../engine/postgres-session.ts';
import { within } from '../within.ts';
import type { ConfirmedRevision } from './confirmed-revision.ts';

/** Follows the changes of other nodes to keys, plans, accounts and lists. */
export interface ChangeFollower {
  /**
   * Whether notifications of PostgreSQL arrive; null while that is not known yet. Without them, changes are found only
   * by reading, which takes up to a quarter of a second longer.
   */
  isNotified(): boolean | null;
  /** The listener runs after each change, and again when it failed. */
  onChange(listener: () => Promise<void>): void;
  close(): Promise<void>;
}

export interface FollowerLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

export interface FollowerDependencies {
  readonly pool: Pick<PostgresPool, 'query'>;
  readonly openSession: (notified: (payload: string) => void) => Promise<PostgresSession>;
  readonly confirmed: ConfirmedRevision;
  readonly clock: Clock;
  readonly log: FollowerLog;
}

const CHANNEL = 'gatekeeper_changes';
/** A quarter of the second in which other nodes must see a change. */
const EVERY_MS = 250;
const PATIENCE_MS = 3_000;
/** For a connection to listen on: changes are read on those of the pool meanwhile. */
const REOPEN_AFTER_MS = 5_000;
/** How long a notification to this node itself may take. One that is later still counts. */
const ECHO_MS = 3_000;
const REVISION = 'SELECT revision::float8 AS revision FROM changes WHERE id = 1';

interface RevisionRow {
  readonly revision: number;
}

/** Reads the revision before it returns, and then on a timer that does not keep the process running. */
export async function followChanges(dependencies: FollowerDependencies): Promise<ChangeFollower> {
  const { pool, openSession, confirmed, clock, log } = dependencies;
  const listeners: (() => Promise<void>)[] = [];
  /** The notification that a node sends to itself to find out whether notifications arrive. */
  const echo = randomUUID();
  let session: PostgresSession | null = null;
  let notified: boolean | null = null;
  let echoTimer: NodeJS.Timeout | undefined;
  let isOpening = false;
  let openAfter = Number.NEGATIVE_INFINITY;
  /** The revision that all listeners have seen. */
  let delivered: number | null = null;
  let isReading = false;
  let isAsked = false;
  let isFailing = false;
  let isClosed = false;

  await read();
  delivered = confirmed.revision;
  open();
  let timer = schedule();

  function schedule(): NodeJS.Timeout {
    return setTimeout(() => {
      void ask().finally(() => {
        if (!isClosed) timer = schedule();
      });
    }, EVERY_MS).unref();
  }

  /** Never two readings at once. A notification during one causes one more. */
  async function ask(): Promise<void> {
    isAsked = true;
    if (isReading) return;
    isReading = true;
    try {
      while (isAsked && !isClosed) {
        isAsked = false;
        open();
        await read();
        await deliver();
        isFailing = false;
      }
    } catch (error) {
      if (!isFailing && !isClosed)
        log.warn({ err: error }, 'changes of other nodes could not be read; this node asks again');
      isFailing = true;
    } finally {
      isReading = false;
    }
  }

  async function read(): Promise<void> {
    const begunAt = clock();
    const current = session;
    const rows = current && !current.hasEnded ? current.query<RevisionRow>(REVISION) : readFromPool();
    try {
      const [row] = await within(PATIENCE_MS, rows);
      confirmed.revision = row?.revision ?? null;
      confirmed.at = begunAt;
    } catch (error) {
      void current?.close();
      throw error;
    }
  }

  async function readFromPool(): Promise<readonly RevisionRow[]> {
    return (await pool.query<RevisionRow>(REVISION, [])).rows;
  }

  async function deliver(): Promise<void> {
    const { revision } = confirmed;
    if (revision === delivered) return;
    await Promise.all(listeners.map((listener) => listener()));
    delivered = revision;
  }

  /** Nothing waits for it: the pool answers until then. */
  function open(): void {
    if (isOpening || isClosed || (session && !session.hasEnded) || performance.now() < openAfter) return;
    isOpening = true;
    openAfter = performance.now() + REOPEN_AFTER_MS;
    void openListening()
      .catch(() => {})
      .finally(() => {
        isOpening = false;
      });
  }

  async function openListening(): Promise<void> {
    const opened = await openSession(hear);
    session = opened;
    if (isClosed) return opened.close();
    await opened.query(`LISTEN ${CHANNEL}`);
    // On another connection: a pooler may give this one the same connection to the server.
    await pool.query('SELECT pg_notify($1, $2)', [CHANNEL, echo]);
    clearTimeout(echoTimer);
    if (notified !== true) echoTimer = setTimeout(() => setNotified(false), ECHO_MS).unref();
  }

  function hear(payload: string): void {
    if (payload === echo) setNotified(true);
    else if (payload === '') void ask();
  }

  function setNotified(now: boolean): void {
    clearTimeout(echoTimer);
    if (notified === now || isClosed) return;
    const before = notified;
    notified = now;
    if (!now) {
      log.info(
        {},
        'notifications of PostgreSQL do not arrive, as through a pooler in transaction mode; changes of other nodes are read every 250 ms',
      );
    } else if (before === false) log.info({}, 'notifications of PostgreSQL arrive');
  }

  return {
    isNotified: () => notified,
    onChange: (listener) => void listeners.push(listener),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(echoTimer);
      await session?.close();
    },
  };
}
