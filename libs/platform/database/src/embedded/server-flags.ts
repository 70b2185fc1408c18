import { totalmem } from 'node:os';

export interface ServerFlags {
  /** False only for disposable test servers: no fsync. */
  readonly durable?: boolean;
  /** Default 100. */
  readonly maxConnections?: number;
  /** For a server that only takes a load of data. As durable as otherwise; the loader analyzes its tables itself. */
  readonly bulkLoad?: boolean;
}

const BUFFERS_MB = 128;
/** Holds the ends of the indexes of millions of rows. */
const MAX_BULK_BUFFERS_MB = 1024;

/** Settings that Heddle's guarantees depend on are flags, so that no edit of a file changes them. */
export function serverFlags(flags: ServerFlags): string[] {
  const durable = flags.durable === false ? 'off' : 'on';
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    fsync: durable,
    full_page_writes: durable,
    synchronous_commit: 'on',
    max_connections: String(flags.maxConnections ?? 100),
    shared_buffers: `${BUFFERS_MB}MB`,
    wal_buffers: '16MB',
    // A prepared transaction that nobody ends would hold back the log's sequencer for ever.
    max_prepared_transactions: '0',
    jit: 'off',
    timezone: 'UTC',
    // Reads are few and cached: worker processes for them only cost memory.
    io_method: 'sync',
    // Detects a peer that vanished, to release its locks and transactions.
    tcp_keepalives_idle: '10',
    tcp_keepalives_interval: '5',
    tcp_keepalives_count: '3',
    // Neither statements nor row values reach the log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...(flags.bulkLoad === true ? bulkLoadSettings() : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * With the buffers of a service, a load of jobs wrote and read back a page for every second job, and with its checkpoints more
 * than half of the write-ahead log was whole pages.
 */
function bulkLoadSettings(): Record<string, string> {
  const quarterMb = Math.floor(totalmem() / 4 / 1024 ** 2);
  const buffersMb = Math.max(BUFFERS_MB, Math.min(MAX_BULK_BUFFERS_MB, quarterMb));
  return { shared_buffers: `${buffersMb}MB`, max_wal_size: '8GB', autovacuum: 'off' };
}
