export interface ServerFlags {
  /** False only for throw-away servers of tests: no fsync. */
  readonly durable?: boolean;
  /** Default 100. */
  readonly maxConnections?: number;
}

/** Settings that Heddle's guarantees rest on stand here and not in a file, so that no edit of a file changes them. */
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
    // A forgotten prepared transaction would hold back the sequencer of the log for ever.
    max_prepared_transactions: '0',
    jit: 'off',
    timezone: 'UTC',
    // Reads are few and cached: worker processes for them only cost memory.
    io_method: 'sync',
    // A process that ended without a word is noticed, and its locks and transactions with it.
    tcp_keepalives_idle: '10',
    tcp_keepalives_interval: '5',
    tcp_keepalives_count: '3',
    // Neither the text of a failing statement nor a value of a row reaches the log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
