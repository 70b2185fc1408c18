export interface ServerFlags {
  /** False only for disposable test servers: no fsync. */
  readonly durable?: boolean;
  /** Default 100. */
  readonly maxConnections?: number;
}

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
    shared_buffers: '128MB',
    wal_buffers: '16MB',
    // A forgotten prepared transaction would hold back the log's sequencer for ever.
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
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
