import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DataFolderInUseError, EmbeddedPostgres, PostgresServer } from '@heddle/platform-database';
import pg from 'pg';
import { failed, unreachable, wrongUsage } from '../failure.js';
import { clusterLogBeside } from './cluster-log.js';

/** A connection to the log, and how to close it. */
export interface OpenLog {
  readonly client: pg.Client;
  /** The folder, or the URL without user and password. */
  readonly source: string;
  /** One more connection of the same kind, for work at the same time; it is closed with the log. */
  another(): Promise<pg.Client>;
  close(): Promise<void>;
}

export interface LogPlace {
  /** HEDDLE_DATABASE_URL */
  readonly databaseUrl: string | null;
  /** The flag or variable that named the database, for messages (HEDDLE_DATABASE_URL). */
  readonly urlSetBy?: string;
  /** HEDDLE_DATA */
  readonly dataDir: string;
}

interface LogUse {
  /** Many statements without a client-side deadline. */
  readonly longWork?: boolean;
  /** The connection may write. */
  readonly writes?: boolean;
  /** It needs the log and the rows of jobs alone: an embedded database is read as the role of analysts. */
  readonly asAnalyst?: boolean;
}

const ANALYST_ROLE = 'heddle_analyst';

const FOLDER_STEP =
  'name the data folder of Heddle with --data FOLDER (HEDDLE_DATA), or its database with HEDDLE_DATABASE_URL';
const DATABASE_STEP = 'check --database-url or HEDDLE_DATABASE_URL';

/** Opens the log for `work`, and closes it again, also if Ctrl-C came while it was opened. */
export async function withLog<T>(
  place: LogPlace,
  use: LogUse,
  signal: AbortSignal,
  work: (log: OpenLog) => Promise<T>,
): Promise<T> {
  const log = await openLog(place, use);
  try {
    signal.throwIfAborted();
    return await work(log);
  } finally {
    await log.close();
  }
}

/**
 * Opens the event log where it is stored. If an embedded database is running, it connects beside the running Heddle; if
 * Heddle is stopped, it starts the server while reading.
 */
async function openLog(
  { databaseUrl, urlSetBy = 'HEDDLE_DATABASE_URL', dataDir }: LogPlace,
  use: LogUse = {},
): Promise<OpenLog> {
  if (databaseUrl !== null) {
    if (!URL.canParse(databaseUrl))
      throw wrongUsage(
        `${urlSetBy}${valueShown(urlSetBy, databaseUrl)} is not a valid URL`,
        'for example postgres://heddle@127.0.0.1:5432/heddle',
      );
    return connect(databaseUrl, {
      use,
      role: null,
      source: withoutUser(databaseUrl),
      named: `the database of ${urlSetBy}`,
      nextStep: DATABASE_STEP,
      after: NOTHING,
    });
  }
  const folder = resolve(dataDir);
  if (!existsSync(join(folder, 'postgres')))
    throw wrongUsage(`${folder} holds no data of Heddle`, clusterLogBeside(folder) ?? FOLDER_STEP);
  const role = use.asAnalyst === true ? ANALYST_ROLE : null;
  const inFolder = { use, role, source: folder, named: `the database in ${folder}`, nextStep: FOLDER_STEP };
  const server = new PostgresServer({ dataDir: folder });
  const live = server.running();
  if (live?.status === 'ready') return connect(server.url(live.port, 'heddle'), { ...inFolder, after: NOTHING });
  const embedded = new EmbeddedPostgres({ dataDir: folder });
  const release = withstandInterrupts();
  try {
    await embedded.start();
  } catch (error) {
    release();
    if (error instanceof DataFolderInUseError)
      throw unreachable(`Heddle is just starting or stopping on ${folder}`, 'try again in a moment');
    throw unreachable(
      `the database in ${folder} cannot be started: ${error instanceof Error ? error.message : String(error)}`,
      FOLDER_STEP,
    );
  }
  return connect(embedded.url, { ...inFolder, after: () => embedded.stop().finally(release) });
}

/** This process must not end before the server that it has started: no other process would stop it. */
function withstandInterrupts(): () => void {
  process.on('SIGINT', ignore).on('SIGTERM', ignore);
  return () => void process.off('SIGINT', ignore).off('SIGTERM', ignore);
}

function ignore(): void {
  // The first one aborts the work (long-work.ts); a second one waits for the server to stop.
}

const NOTHING = (): Promise<void> => Promise.resolve();

function withoutUser(databaseUrl: string): string {
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${host}${pathname}`;
}

interface Opening {
  readonly use: LogUse;
  /** Null: that of the URL. */
  readonly role: string | null;
  readonly source: string;
  /** Name of the database in messages. */
  readonly named: string;
  /** The next step if it cannot be reached. */
  readonly nextStep: string;
  /** Runs when the connection is closed. */
  after(): Promise<void>;
}

async function connect(url: string, opening: Opening): Promise<OpenLog> {
  const clients: pg.Client[] = [];
  const another = async (): Promise<pg.Client> => {
    const client = await connectOne(url, opening);
    clients.push(client);
    return client;
  };
  const close = async (): Promise<void> => {
    for (const client of clients) await client.end();
    await opening.after();
  };
  try {
    const client = await another();
    if (!(await hasLog(client)))
      throw failed(`${opening.named} is not a database of Heddle: it has no table jobs.event`, opening.nextStep);
    return { client, source: opening.source, another, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** From the catalog, which every role may read. One of an older build has the table. */
async function hasLog(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'jobs' and c.relname = 'event'`);
  return rowCount === 1;
}

async function connectOne(url: string, { use, role, named, nextStep }: Opening): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'heddle-history',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ...(use.longWork === true ? {} : { query_timeout: 30_000 }),
    ...(use.writes === true ? {} : { options: '-c default_transaction_read_only=on' }),
  });
  // A connection that breaks between two statements fails the next one; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (role !== null) await become(client, role);
    return client;
  } catch (error) {
    throw unreachable(
      `${named} cannot be reached: ${error instanceof Error ? error.message : String(error)}`,
      nextStep,
    );
  }
}

/** A database that no newer build has migrated yet has no such role: it is read as its owner. */
async function become(client: pg.Client, role: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (rowCount === 1) await client.query(`set role ${role}`);
}

/** A variable is a secret, and a text with an @ may hold a password: neither is repeated. */
function valueShown(setBy: string, value: string): string {
  return setBy.startsWith('--') && !value.includes('@') ? ` "${value}"` : '';
}
