import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DataFolderInUseError, InstanceLock, PostgresServer, processIdentity } from '@heddle/platform-database';
import pg from 'pg';

const START_DEADLINE_MS = 50_000;
const TEMPLATES_KEPT = 12;

/**
 * The one server shared by all test files of this checkout, started by the first process that needs it. Each process
 * leaves a note; the last one to end stops the server. Without fsync: it dies with the tests, and crash tests have
 * servers of their own.
 */
export class SharedServer {
  readonly #folder = join(cacheFolder(), 'test-database');
  readonly #users = join(this.#folder, 'users');
  readonly #server = new PostgresServer({ dataDir: this.#folder, durable: false, maxConnections: 300 });
  #port: Promise<number> | undefined;

  /** The owner's connection string; starts the server if it does not run. */
  async url(): Promise<string> {
    this.#port ??= this.#join();
    return this.#server.url(await this.#port);
  }

  async #join(): Promise<number> {
    mkdirSync(this.#users, { recursive: true });
    writeFileSync(join(this.#users, String(process.pid)), processIdentity(process.pid) ?? '');
    process.once('exit', () => this.#leave());
    const lock = new InstanceLock(this.#folder, this.#folder);
    for (const deadline = Date.now() + START_DEADLINE_MS; ;) {
      try {
        lock.acquire();
        break;
      } catch (error) {
        if (!(error instanceof DataFolderInUseError) || Date.now() > deadline) throw error;
        await delay(20);
      }
    }
    try {
      const { port, adopted } = await this.#server.start();
      if (!adopted) await sweep(this.#server.url(port));
      return port;
    } finally {
      lock.release();
    }
  }

  /** Runs during process exit, so nothing here may wait. */
  #leave(): void {
    rmSync(join(this.#users, String(process.pid)), { force: true });
    for (const pid of readdirSync(this.#users)) {
      const note = join(this.#users, pid);
      if (readFileSync(note, 'utf8') === processIdentity(Number(pid))) return;
      rmSync(note, { force: true });
    }
    const server = this.#server.running();
    if (server) process.kill(server.pid, 'SIGINT');
  }
}

/**
 * Removes leftovers of earlier runs: databases of killed test files, and templates of schemas that have changed since.
 */
async function sweep(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where datname like 'fresh\\_%'
       union all
       (select datname from pg_database where datname like 'template\\_%' order by oid desc offset ${TEMPLATES_KEPT})`,
    );
    for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`);
  } finally {
    await client.end();
  }
}

function cacheFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'nx.json'))) return join(folder, 'node_modules', '.cache', 'heddle');
  }
  return join(tmpdir(), `heddle-tests-${process.getuid?.() ?? 'user'}`);
}
