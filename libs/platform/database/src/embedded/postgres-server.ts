import { spawn, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedServerError } from './embedded-server-error.js';
import { freePort, isFree } from './free-port.js';
import { clearStalePostmaster, livePostmaster, type Postmaster } from './postmaster.js';
import { serverBinaries, type ServerBinaries } from './server-binaries.js';
import {
  keepPort,
  keptPort,
  makeOwnedFolder,
  ownerPassword,
  prepareServerFolder,
  type ServerFolder,
} from './server-folder.js';
import { serverFlags, type ServerFlags } from './server-flags.js';
import { assertServerVersion } from './server-version.js';
import { serverUser, type ServerUser } from './server-user.js';

/** The owner role of an embedded server. */
const OWNER_ROLE = 'heddle';

/** A server that shuts down ends its connections first. */
const END_WITHIN_MS = 500;
const LOG_KEPT_BYTES = 8 * 1024 * 1024;
const STALE_NOTE = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/;
const PORT_TAKEN = /could not bind|Address already in use|could not create any TCP\/IP sockets/;

export interface PostgresServerOptions extends ServerFlags {
  readonly dataDir: string;
  /** Start time-out, crash recovery included; default 60 s. */
  readonly startTimeoutMs?: number;
}

/**
 * One PostgreSQL server process on one data directory: created on first use, adopted if it still runs, otherwise
 * started. `EmbeddedPostgres` adds the exclusive use by one Heddle and the supervision.
 */
export class PostgresServer {
  readonly #options: PostgresServerOptions;
  readonly #user: ServerUser | undefined;
  readonly #binaries: ServerBinaries;
  readonly folder: ServerFolder;
  #child: ChildProcess | undefined;
  /** How `#child` ends. */
  #end: Promise<string> = new Promise(() => undefined);

  constructor(options: PostgresServerOptions) {
    this.#options = options;
    this.#user = serverUser();
    this.#binaries = serverBinaries(this.#user);
    this.folder = prepareServerFolder(options.dataDir, this.#binaries.majorVersion, this.#user);
    assertServerVersion(this.folder, this.#binaries.majorVersion);
  }

  /** The owner's connection string; contains the password. */
  url(port: number, database = 'postgres'): string {
    return `postgresql://${OWNER_ROLE}:${ownerPassword(this.folder)}@127.0.0.1:${port}/${database}`;
  }

  running(): Postmaster | undefined {
    return livePostmaster(this.folder.pgdata);
  }

  /** How the server process `pid` ended; null if it runs on. */
  async endOf(pid: number | undefined): Promise<string | null> {
    const live = this.running();
    if (live !== undefined && live.pid === pid && live.status !== 'stopping') return null;
    const unknown = delay(END_WITHIN_MS, 'it is not known how', { ref: false });
    return this.#child?.pid === pid ? await Promise.race([this.#end, unknown]) : await unknown;
  }

  /** Resolves when the server accepts connections; `adopted` is true if it was already running. */
  async start(): Promise<{ readonly port: number; readonly adopted: boolean }> {
    const deadline = Date.now() + (this.#options.startTimeoutMs ?? 60_000);
    if (!existsSync(this.folder.pgdata)) await this.#initialise(deadline);
    for (;;) {
      const live = this.running();
      if (live) {
        const port = await this.#ready(live.pid, deadline);
        if (port !== undefined) return { port, adopted: this.#child?.pid !== live.pid };
      } else if (clearStalePostmaster(this.folder.pgdata)) {
        const port = await this.#launch(deadline);
        if (port !== undefined) return { port, adopted: false };
      }
      if (Date.now() > deadline) throw this.#failure('did not become ready in time', 0);
      await delay(50);
    }
  }

  /** Fast shutdown: open transactions are rolled back. After `timeoutMs` the server is killed without a checkpoint. */
  async stop(timeoutMs = 8_000): Promise<void> {
    const live = this.running();
    if (!live) return;
    process.kill(live.pid, 'SIGINT');
    if (await this.#gone(live.pid, timeoutMs)) return;
    process.kill(live.pid, 'SIGQUIT');
    if (await this.#gone(live.pid, 2_000)) return;
    process.kill(live.pid, 'SIGKILL');
    await this.#gone(live.pid, 1_000);
  }

  async #initialise(deadline: number): Promise<void> {
    const draft = join(this.folder.home, `initdb.${process.pid}`);
    const passwordFile = join(this.folder.home, `initdb.${process.pid}.password`);
    rmSync(draft, { recursive: true, force: true });
    makeOwnedFolder(draft, this.#user);
    writeFileSync(passwordFile, ownerPassword(this.folder), { mode: 0o600 });
    if (this.#user) chownSync(passwordFile, this.#user.uid, this.#user.gid);
    const log = this.#openLog();
    try {
      const args = [
        '-D',
        draft,
        '-U',
        OWNER_ROLE,
        `--pwfile=${passwordFile}`,
        '-A',
        'scram-sha-256',
        '-E',
        'UTF8',
        '--locale=C.UTF-8',
      ];
      const child = this.#spawn(
        this.#binaries.initdb,
        [...args, ...(this.#options.durable === false ? ['--no-sync'] : [])],
        log.fd,
      );
      const ended = exitOf(child);
      const code = await Promise.race([
        ended,
        delay(Math.max(0, deadline - Date.now()), 'late' as const, { ref: false }),
      ]);
      if (code !== 0) {
        child.kill('SIGKILL');
        throw this.#failure('could not be initialised', log.size);
      }
      // The rename is atomic: a start that is killed half-way leaves nothing that looks finished.
      if (!existsSync(this.folder.pgdata)) renameSync(draft, this.folder.pgdata);
    } finally {
      closeSync(log.fd);
      rmSync(passwordFile, { force: true });
      rmSync(draft, { recursive: true, force: true });
    }
  }

  /** Undefined if another attempt is worthwhile. */
  async #launch(deadline: number): Promise<number | undefined> {
    const kept = keptPort(this.folder);
    const port = kept !== undefined && (await isFree(kept)) ? kept : await freePort();
    const log = this.#openLog();
    const args = ['-D', this.folder.pgdata, '-p', String(port), ...serverFlags(this.#options)];
    const child = this.#spawn(this.#binaries.postgres, args, log.fd);
    closeSync(log.fd);
    const ended = exitOf(child);
    let exited = false;
    void ended.then(() => (exited = true));
    this.#child = child;
    this.#end = new Promise((resolve) => child.once('exit', (code, by) => resolve(by ?? `exit code ${code}`)));
    while (!exited && Date.now() < deadline) {
      const live = this.running();
      if (live?.pid === child.pid && live?.status === 'ready') {
        if (port !== kept) keepPort(this.folder, port);
        child.unref();
        return port;
      }
      await Promise.race([ended, delay(5)]);
    }
    if (!exited) {
      child.kill('SIGKILL');
      throw this.#failure('did not become ready in time', log.size);
    }
    const said = this.#logFrom(log.size);
    if (STALE_NOTE.test(said) || PORT_TAKEN.test(said) || this.running()) return undefined;
    throw this.#failure('could not be started', log.size);
  }

  async #ready(pid: number, deadline: number): Promise<number | undefined> {
    while (Date.now() < deadline) {
      const live = this.running();
      if (live?.pid !== pid) return undefined;
      if (live.status === 'ready') return live.port;
      await delay(10);
    }
    throw this.#failure('runs already but is not ready', 0);
  }

  async #gone(pid: number, timeoutMs: number): Promise<boolean> {
    const deadline = Date.now() + timeoutMs;
    while (this.running()?.pid === pid) {
      if (Date.now() > deadline) return false;
      await delay(10);
    }
    return true;
  }

  /** Detached, so that Ctrl-C reaches only Heddle, which then stops the server. */
  #spawn(binary: string, args: readonly string[], logFd: number): ChildProcess {
    const child = spawn(binary, args, {
      cwd: this.folder.home,
      detached: true,
      stdio: ['ignore', logFd, logFd],
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C.UTF-8' },
      ...(this.#user ? { uid: this.#user.uid, gid: this.#user.gid } : {}),
    });
    return child;
  }

  #openLog(): { readonly fd: number; readonly size: number } {
    const file = this.folder.log;
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > LOG_KEPT_BYTES) renameSync(file, `${file}.old`);
    return { fd: openSync(file, 'a', 0o600), size: size > LOG_KEPT_BYTES ? 0 : size };
  }

  #logFrom(start: number): string {
    try {
      const size = statSync(this.folder.log).size;
      const from = Math.max(start, size - 2_000);
      const fd = openSync(this.folder.log, 'r');
      try {
        const bytes = Buffer.alloc(Math.max(0, size - from));
        return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, from));
      } finally {
        closeSync(fd);
      }
    } catch {
      return '';
    }
  }

  #failure(what: string, logStart: number): EmbeddedServerError {
    const end = this.#logFrom(logStart).trim();
    return new EmbeddedServerError(
      `The embedded PostgreSQL in ${this.folder.pgdata} ${what}. ` +
        (end === '' ? `Its log ${this.folder.log} says nothing.` : `The end of its log ${this.folder.log}:\n${end}`),
    );
  }
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(-1));
    child.once('exit', (code) => resolve(code ?? -1));
  });
}
