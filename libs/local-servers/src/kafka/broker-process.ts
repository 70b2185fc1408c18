import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { formatDataFolder } from './format-data-folder.js';
import { kafkaCommand, type InstalledKafka } from './installed-kafka.js';
import { toolEnvironment } from '../tool-environment.js';

const POLL_MS = 50;
const START_WITHIN_MS = 90_000;
const TERM_WITHIN_MS = 8_000;
const KILL_WITHIN_MS = 5_000;
const LAST_OF_LOG = 3_000;

interface BrokerStart {
  /** Gives the start up: the process is ended, and `start` rejects. */
  readonly signal?: AbortSignal;
  ended?(how: string): void;
}

/**
 * One Kafka broker as a process in its own process group, with one folder: `server.properties`, `data`, `broker.log`
 * and `broker.pid`. It may outlive the process that started it; the pid file lets a later process find and stop it.
 */
export class BrokerProcess {
  readonly #kafka: InstalledKafka;
  readonly #folder: string;
  readonly #clientPort: number;
  readonly #command: typeof kafkaCommand;
  /** Its end is asked for from here on. */
  #stopping = false;

  constructor(kafka: InstalledKafka, folder: string, clientPort: number, command = kafkaCommand) {
    this.#kafka = kafka;
    this.#folder = folder;
    this.#clientPort = clientPort;
    this.#command = command;
  }

  get data(): string {
    return join(this.#folder, 'data');
  }

  get log(): string {
    return join(this.#folder, 'broker.log');
  }

  get #properties(): string {
    return join(this.#folder, 'server.properties');
  }

  get #note(): string {
    return join(this.#folder, 'broker.pid');
  }

  /** Writes the settings, and formats the data folder the first time. */
  async prepare(properties: string, id: number): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await writeFile(this.#properties, properties);
    await formatDataFolder(this.#kafka, { id, properties: this.#properties, data: this.data });
  }

  /**
   * Resolves when the client port accepts connections; a broker opens it last. `ended` is called if the process ends after that and
   * this object did not stop it.
   */
  async start({ signal: aborted, ended }: BrokerStart = {}): Promise<void> {
    this.#stopping = false;
    if (!(await this.#closesWithin(KILL_WITHIN_MS)))
      throw this.#failure(`Address already in use: another process listens on ${this.#clientPort}`);
    const log = openSync(this.log, 'w');
    const args = [...this.#command(this.#kafka, ['-Xms64m', '-Xmx256m'], 'kafka.Kafka'), this.#properties];
    // Messages carry what clients sent: no other user of the machine may read them.
    const child = spawn('/bin/sh', ['-c', 'umask 077; exec java "$@"', 'sh', ...args], {
      detached: true,
      env: toolEnvironment(),
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    let gone: string | undefined;
    child.once('error', (error) => (gone = error.message));
    let started = false;
    child.once('exit', (code, signal) => {
      const how = signal ?? `exit code ${code}`;
      gone = `it ended with ${how}`;
      if (started && !this.#stopping) ended?.(how);
    });
    child.unref();
    if (child.pid !== undefined) writeFileSync(this.#note, String(child.pid));
    for (const deadline = Date.now() + START_WITHIN_MS; !(await this.#accepts()); await delay(POLL_MS)) {
      if (gone !== undefined) throw this.#failure(gone);
      if (aborted?.aborted === true || Date.now() > deadline) {
        await this.stop();
        aborted?.throwIfAborted();
        throw this.#failure(`it accepted no connections within ${START_WITHIN_MS / 1000} s`);
      }
    }
    // If this broker has ended, another server accepted the connection.
    if (gone !== undefined) throw this.#failure(gone);
    started = true;
  }

  /** SIGTERM, then SIGKILL after `withinMs` (default 8 s). No effect if the server does not run. */
  async stop(withinMs = TERM_WITHIN_MS): Promise<void> {
    this.#stopping = true;
    const pid = this.pid();
    if (pid === undefined) return;
    // A frozen process would receive the signal only when it continues.
    signal(pid, 'SIGCONT');
    signal(pid, 'SIGTERM');
    if (!(await this.#endsWithin(withinMs))) await this.kill();
    rmSync(this.#note, { force: true });
  }

  /** `kill -9`; resolves when the process is gone and its port is closed. */
  async kill(): Promise<void> {
    this.killNow();
    const gone = (await this.#endsWithin(KILL_WITHIN_MS)) && (await this.#closesWithin(KILL_WITHIN_MS));
    if (!gone) throw this.#failure('SIGKILL did not end it');
  }

  /** Kills without waiting, for the exit of this process. */
  killNow(): void {
    this.#stopping = true;
    const pid = this.pid();
    if (pid !== undefined) signal(pid, 'SIGKILL');
  }

  /** SIGSTOP: connections stay open and nothing answers until `thaw`. */
  freeze(): void {
    const pid = this.pid();
    if (pid === undefined) throw this.#failure('it does not run');
    signal(pid, 'SIGSTOP');
  }

  thaw(): void {
    const pid = this.pid();
    if (pid !== undefined) signal(pid, 'SIGCONT');
  }

  /** The process in the pid file, if it still is this server: process ids are recycled. */
  pid(): number | undefined {
    if (!existsSync(this.#note)) return undefined;
    const pid = Number(readFileSync(this.#note, 'utf8'));
    return Number.isInteger(pid) && pid > 1 && commandOf(pid).includes(this.#properties) ? pid : undefined;
  }

  async #endsWithin(limitMs: number): Promise<boolean> {
    for (const deadline = Date.now() + limitMs; this.pid() !== undefined; await delay(POLL_MS)) {
      if (Date.now() > deadline) return false;
    }
    return true;
  }

  /** A killed process has no command line any more while the system still closes its sockets. */
  async #closesWithin(limitMs: number): Promise<boolean> {
    for (const deadline = Date.now() + limitMs; await this.#accepts(); await delay(POLL_MS)) {
      if (Date.now() > deadline) return false;
    }
    return true;
  }

  #accepts(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect({ port: this.#clientPort, host: '127.0.0.1', timeout: 1_000 });
      const settle = (accepted: boolean): void => {
        socket.destroy();
        resolve(accepted);
      };
      socket.once('connect', () => settle(true));
      socket.once('error', () => settle(false));
      socket.once('timeout', () => settle(false));
    });
  }

  #failure(what: string): Error {
    const end = existsSync(this.log) ? readFileSync(this.log, 'utf8').slice(-LAST_OF_LOG) : '';
    return new Error(`The Kafka broker of ${this.#folder} did not run: ${what}. The end of its log:\n${end}`);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Empty if the process does not exist or is a zombie. */
function commandOf(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
