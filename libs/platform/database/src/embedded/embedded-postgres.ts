import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { isConnectionLoss } from '../connect/transient-failures.js';
import { DataFolderInUseError, InstanceLock } from './instance-lock.js';
import type { ServerFolder } from './server-folder.js';
import type { ServerNotice } from './server-notice.js';
import { PostgresServer, type PostgresServerOptions } from './postgres-server.js';

interface EmbeddedPostgresOptions extends PostgresServerOptions {
  readonly onNotice?: (notice: ServerNotice) => void;
}

const DATABASE = 'heddle';
/** Session lock of the one Heddle on a server; any constant works, as only Heddle uses the server. */
const OWNERSHIP_LOCK = 7_236_101;
const GUARD_NAME = 'heddle-owner-';
const OPENS_WITHIN_MS = 10_000;
const BACKOFF_MS = [0, 50, 200, 500, 1_000, 2_000, 5_000];

/**
 * The PostgreSQL server that standalone runs itself. Exclusive: a second Heddle on the data directory is refused by the
 * lock file (which names the process) and by a session lock in the server (which neither file systems nor recycled
 * process ids can fool). A crashed server is restarted; a server that survived a killed Heddle is adopted.
 */
export class EmbeddedPostgres {
  readonly #server: PostgresServer;
  readonly #lock: InstanceLock;
  readonly #options: EmbeddedPostgresOptions;
  #guard: pg.Client | undefined;
  #port = 0;
  /** Process of the server that it was connected to last. */
  #servedBy: number | undefined;
  #stopped = false;
  #supervision: Promise<void> = Promise.resolve();

  constructor(options: EmbeddedPostgresOptions) {
    this.#options = options;
    this.#server = new PostgresServer(options);
    this.#lock = new InstanceLock(this.#server.folder.control, resolve(options.dataDir));
  }

  /** The owner's connection string; contains the password, so never log it. */
  get url(): string {
    return this.#server.url(this.#port, DATABASE);
  }

  get folder(): ServerFolder {
    return this.#server.folder;
  }

  get pid(): number | undefined {
    return this.#server.running()?.pid;
  }

  async start(): Promise<void> {
    if (this.#server.folder.relocated !== undefined)
      this.#say({ kind: 'relocated', message: this.#server.folder.relocated });
    this.#lock.acquire();
    try {
      await this.#openSurely();
    } catch (error) {
      this.#lock.release();
      throw error;
    }
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    await this.#guard?.end().catch(() => undefined);
    await this.#supervision;
    await this.#server.stop();
    this.#lock.release();
  }

  /** A server that was adopted while shutting down refuses or drops connections: start it then. */
  async #openSurely(): Promise<void> {
    for (const deadline = Date.now() + OPENS_WITHIN_MS; ; await delay(BACKOFF_MS[1])) {
      try {
        return await this.#open();
      } catch (error) {
        if (!isConnectionLoss(error) || Date.now() > deadline) throw error;
      }
    }
  }

  async #open(): Promise<void> {
    const { port, adopted } = await this.#server.start();
    this.#port = port;
    this.#servedBy = this.pid;
    const guard = new pg.Client({
      connectionString: this.#server.url(port),
      application_name: `${GUARD_NAME}${process.pid}`,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    guard.on('error', () => undefined);
    await guard.connect();
    try {
      await this.#takeOwnership(guard);
    } catch (error) {
      await guard.end().catch(() => undefined);
      throw error;
    }
    this.#guard = guard;
    guard.once('end', () => {
      if (!this.#stopped) this.#supervision = this.#recover();
    });
    if (adopted) this.#say({ kind: 'adopted', pid: this.#server.running()?.pid ?? 0 });
  }

  async #takeOwnership(guard: pg.Client): Promise<void> {
    // A killed Heddle's session ends shortly after its process.
    const deadline = Date.now() + 3_000;
    for (;;) {
      const { rows } = await guard.query<{ locked: boolean; present: boolean }>(
        `select pg_try_advisory_lock(${OWNERSHIP_LOCK}) as locked,
                exists (select from pg_database where datname = '${DATABASE}') as present`,
      );
      if (rows[0]?.locked) {
        if (!rows[0].present) await guard.query(`create database ${DATABASE}`);
        return;
      }
      if (Date.now() > deadline) {
        throw new DataFolderInUseError(resolve(this.#options.dataDir), await this.#owningProcess(guard));
      }
      await delay(50);
    }
  }

  async #owningProcess(guard: pg.Client): Promise<number | undefined> {
    const { rows } = await guard.query<{ name: string }>(
      `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and l.objid = ${OWNERSHIP_LOCK} and l.granted`,
    );
    const pid = Number(rows[0]?.name.replace(GUARD_NAME, ''));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  }

  async #recover(): Promise<void> {
    const since = Date.now();
    const former = this.#servedBy;
    this.#say({ kind: 'lost', end: await this.#server.endOf(former) });
    for (let attempt = 0; !this.#stopped; attempt++) {
      try {
        await this.#open();
        const isSame = this.#servedBy === former;
        this.#say({ kind: isSame ? 'reconnected' : 'restarted', afterMs: Date.now() - since });
        return;
      } catch (error) {
        if (error instanceof DataFolderInUseError) {
          this.#say({ kind: 'taken', error });
          return;
        }
        const retryInMs = BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length - 1)] ?? 0;
        this.#say(
          this.#refusesNow(error)
            ? { kind: 'recovering', retryInMs }
            : { kind: 'restart_failed', error: error instanceof Error ? error : new Error(String(error)), retryInMs },
        );
        await delay(retryInMs, undefined, { ref: false });
      }
    }
  }

  /** The process of the server runs on: after the crash of a session it ends all others, and replays its log. */
  #refusesNow(error: unknown): boolean {
    return isConnectionLoss(error) && this.#server.running() !== undefined;
  }

  #say(notice: ServerNotice): void {
    this.#options.onNotice?.(notice);
  }
}
