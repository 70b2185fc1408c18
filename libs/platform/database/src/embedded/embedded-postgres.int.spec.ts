import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../connect/database.js';
import { DataFolderRefusedError } from './data-folder.js';
import { DataFolderInUseError } from './instance-lock.js';
import type { ServerNotice } from './server-notice.js';
import { removeEmbeddedData } from './sheltered-home.js';
import { processIdentity } from './process-identity.js';

/** A Heddle in a separate process that can be killed; it prints the server's process id once it owns the folder. */
const HEDDLE = `
  import { EmbeddedPostgres } from '@heddle/platform-database';
  const server = new EmbeddedPostgres({ dataDir: process.argv[1] });
  await server.start();
  console.log(server.pid);
  setInterval(() => {}, 1000);
`;

/** Data directory of a stopped server, copied for each test: cheaper than a new cluster each time. */
let seed: string;
let dataDir: string;
let notices: ServerNotice[];
const open: Database[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  seed = emptyFolder();
  const database = await connectDatabase({ dataDir: seed });
  await database.close();
});

afterAll(() => rmSync(seed, { recursive: true, force: true }));

beforeEach(() => {
  dataDir = emptyFolder();
  execFileSync('cp', ['-a', `${seed}/.`, dataDir]);
  notices = [];
});

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  if (open.length === 0) open.push(await connectDatabase({ dataDir }));
  for (const database of open.splice(0)) await database.close();
  removeEmbeddedData(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-embedded-'));
  chmodSync(folder, 0o755);
  return folder;
}

async function connect(): Promise<Database> {
  const database = await connectDatabase({ dataDir, onNotice: (notice) => notices.push(notice) });
  open.push(database);
  return database;
}

async function otherHeddle(): Promise<{ readonly child: ChildProcess; readonly serverPid: number }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HEDDLE, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const output = child.stdout;
  if (!output) throw new Error('no output');
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: output }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
  });
  return { child, serverPid: Number(line) };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 25_000; !(await condition());) {
    if (Date.now() > deadline) throw new Error(`never came true; notices: ${JSON.stringify(notices)}`);
    // Leaves the processor to the server.
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function answers(database: Database): Promise<boolean> {
  return await database.ownerPool.query('select').then(
    () => true,
    () => false,
  );
}

// Some tests create a database from scratch, which is slow on a slow disk.
describe('the embedded server', { timeout: 180_000 }, () => {
  it('keeps its data over a stop and a start, with a random password that only this user can read', async () => {
    const first = await connect();
    await first.ownerPool.query('create table kept as select 42 as answer');
    const url = first.ownerUrl;
    await first.close();
    open.length = 0;

    const second = await connect();
    expect((await second.ownerPool.query('select answer from kept')).rows).toEqual([{ answer: 42 }]);
    expect(second.ownerUrl).toBe(url);
    const passwordFile = join(dataDir, 'postgres', 'owner-password');
    expect(statSync(passwordFile).mode & 0o777).toBe(0o600);
    expect(new URL(url).password).toMatch(/^[\w-]{43}$/);
  });

  it('runs with the settings that the guarantees rest on', async () => {
    const database = await connect();
    const { rows } = await database.ownerPool.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name in
         ('fsync', 'full_page_writes', 'synchronous_commit', 'max_prepared_transactions', 'listen_addresses',
          'unix_socket_directories', 'jit', 'password_encryption') order by name`,
    );
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      max_prepared_transactions: '0',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      jit: 'off',
      password_encryption: 'scram-sha-256',
    });
  });

  it('is adopted when its Heddle was killed', async () => {
    const { child, serverPid } = await otherHeddle();
    await kill(child);
    const database = await connect();
    expect(notices).toEqual([{ kind: 'adopted', pid: serverPid }]);
    expect(database.server?.pid).toBe(serverPid);
    expect(await answers(database)).toBe(true);
  });

  it('starts again when Heddle and server were killed together', async () => {
    const { child, serverPid } = await otherHeddle();
    process.kill(serverPid, 'SIGKILL');
    await kill(child);
    const database = await connect();
    expect(database.server?.pid).not.toBe(serverPid);
    expect(await answers(database)).toBe(true);
  });

  it('refuses a second Heddle on one data directory and names the directory and the process', async () => {
    const { child } = await otherHeddle();
    const refusal = await connect().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DataFolderInUseError);
    expect(String(refusal)).toContain(dataDir);
    expect(String(refusal)).toContain(`pid ${child.pid}`);
  });

  it('refuses a second Heddle also where the lock file was lost', async () => {
    const { child } = await otherHeddle();
    rmSync(join(dataDir, 'postgres', 'heddle.lock'));
    await expect(connect()).rejects.toThrow(`pid ${child.pid}`);
  });

  it('is not fooled by a lock file whose process id belongs to another process now', async () => {
    const { child } = await otherHeddle();
    await kill(child);
    const recycled = JSON.stringify({ pid: process.ppid, identity: `${processIdentity(process.ppid)}0` });
    writeFileSync(join(dataDir, 'postgres', 'heddle.lock'), recycled);
    expect(await answers(await connect())).toBe(true);
  });

  it('comes back by itself when it is killed, and the pools with it', async () => {
    const database = await connect();
    await database.ownerPool.query('create table survived as select 1 as row');
    const before = database.server?.pid;
    if (before === undefined) throw new Error('no server');
    process.kill(before, 'SIGKILL');
    await until(() => notices.some(({ kind }) => kind === 'restarted'));
    await until(async () => await answers(database));
    expect(database.server?.pid).not.toBe(before);
    expect((await database.ownerPool.query('select * from survived')).rowCount).toBe(1);
    expect(notices[0]).toEqual({ kind: 'lost', end: 'SIGKILL' });
  });

  it('keeps its Heddle when only a backend is killed', async () => {
    const database = await connect();
    const { rows } = await database.ownerPool.query<{ pid: number }>('select pg_backend_pid() as pid');
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    await until(() => notices.some(({ kind }) => kind === 'reconnected'));
    await until(async () => await answers(database));
    expect(notices[0]).toEqual({ kind: 'lost', end: null });
  });

  it('waits for the recovery of a server that runs on, and does not say that a start failed', async () => {
    const database = await connect();
    // A second or two of recovery.
    await database.ownerPool.query(
      'create table filled as select n, repeat(md5(n::text), 20) as text from generate_series(1, 400000) n',
    );
    const { rows } = await database.ownerPool.query<{ pid: number }>('select pg_backend_pid() as pid');
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    await until(() => notices.some(({ kind }) => kind === 'reconnected'));
    const kinds = new Set(notices.map(({ kind }) => kind));
    // A quick machine may have recovered before the first attempt.
    kinds.delete('recovering');
    expect([...kinds]).toEqual(['lost', 'reconnected']);
  });

  it('does not take cut connections for the end of the server', async () => {
    const database = await connect();
    await database.ownerPool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'heddle-owner-%'",
    );
    await until(() => notices.length === 2);
    expect(notices).toEqual([
      { kind: 'lost', end: null },
      { kind: 'reconnected', afterMs: expect.any(Number) },
    ]);
  });

  it('shows the end of its log when it cannot start', async () => {
    const database = await connect();
    const file = join(database.server?.folder.pgdata ?? '', 'postgresql.conf');
    await database.close();
    open.length = 0;
    const settings = readFileSync(file);
    writeFileSync(file, 'no_setting = 1\n');
    await expect(connect()).rejects.toThrow(
      /could not be started[^]*unrecognized configuration parameter "no_setting"/,
    );
    writeFileSync(file, settings);
  });

  it.each(['9', '99'])('refuses files of PostgreSQL %s in the folder of its own version', async (version) => {
    const database = await connect();
    const pgdata = database.server?.folder.pgdata ?? '';
    await database.close();
    open.length = 0;
    writeFileSync(join(pgdata, 'PG_VERSION'), `${version}\n`);
    const refusal = await connect().catch((error: unknown) => error);
    writeFileSync(join(pgdata, 'PG_VERSION'), '18\n');
    expect(refusal).toBeInstanceOf(DataFolderRefusedError);
    expect((refusal as Error).message).toBe(
      `The data directory ${dataDir} cannot be used: ${pgdata} has a database of PostgreSQL ${version}, ` +
        'and this build of Heddle runs PostgreSQL 18. Follow docs/how-to/upgrade.md, or choose another with HEDDLE_DATA.',
    );
  });

  it('refuses to start an empty database beside that of another version', async () => {
    const own = join(dataDir, 'postgres', '18');
    const other = join(dataDir, 'postgres', '17');
    renameSync(own, other);
    const refusal = await connect().catch((error: unknown) => error);
    expect(existsSync(own)).toBe(false);
    renameSync(other, own);
    expect(refusal).toBeInstanceOf(DataFolderRefusedError);
    expect((refusal as Error).message).toContain(
      `: ${other} has a database of PostgreSQL 17, and this build of Heddle runs PostgreSQL 18 in ${own}. Follow `,
    );
  });

  it('finds another port when its own was taken meanwhile', async () => {
    const first = await connect();
    const port = Number(new URL(first.ownerUrl).port);
    await first.close();
    open.length = 0;
    const { createServer } = await import('node:net');
    const taker = createServer();
    await new Promise<void>((resolve) => taker.listen(port, '127.0.0.1', resolve));
    const second = await connect();
    expect(Number(new URL(second.ownerUrl).port)).not.toBe(port);
    expect(await answers(second)).toBe(true);
    taker.close();
  });

  it('works in a folder that other users cannot enter', async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'heddle-embedded-'));
    const database = await connect();
    expect(await answers(database)).toBe(true);
    const asRoot = process.getuid?.() === 0;
    expect(notices.map(({ kind }) => kind)).toEqual(asRoot ? ['relocated'] : []);
    const home = database.server?.folder.home ?? '';
    await database.close();
    open.length = 0;
    removeEmbeddedData(dataDir);
    expect(existsSync(home)).toBe(false);
  });

  it('leaves nothing of a throw-away folder that was removed without asking, once the next one starts', async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'heddle-embedded-'));
    const database = await connect();
    const home = database.server?.folder.home ?? '';
    await database.close();
    open.length = 0;
    rmSync(dataDir, { recursive: true });
    dataDir = mkdtempSync(join(tmpdir(), 'heddle-embedded-'));
    await connect();
    expect(existsSync(home)).toBe(false);
  });
});
