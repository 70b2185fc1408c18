import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '@heddle/platform-database';

/**
 * A separate server for tests that break it, or that hold transactions open for long. Durable, unlike the shared one.
 */
export interface PrivateServer {
  readonly dataDir: string;
  readonly server: PostgresServer;
  /** The owner's connection string; contains the password. */
  url(database?: string): string;
  start(): Promise<void>;
  /** `kill -9` of the server's first process; returns when it is gone. */
  kill(): Promise<void>;
  /** `pg_ctl restart -m immediate`: every session is cut, nothing is flushed, and it recovers from its log. */
  restartImmediately(): Promise<void>;
  /** SIGSTOP of the first process only: its sessions continue, new ones hang. */
  freeze(): void;
  thaw(): void;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

export async function privateServer(): Promise<PrivateServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-test-server-'));
  chmodSync(dataDir, 0o755);
  const server = new PostgresServer({ dataDir });
  let port = 0;
  const signal = (name: NodeJS.Signals): void => {
    const running = server.running();
    if (running) process.kill(running.pid, name);
  };
  const start = async (): Promise<void> => {
    ({ port } = await server.start());
  };
  const gone = async (): Promise<void> => {
    while (server.running()) await new Promise((resolve) => setImmediate(resolve));
  };
  const endWithTests = (): void => signal('SIGKILL');
  process.once('exit', endWithTests);
  await start();
  return {
    dataDir,
    server,
    url: (database = 'postgres') => server.url(port, database),
    start,
    kill: async () => {
      signal('SIGKILL');
      await gone();
    },
    restartImmediately: async () => {
      signal('SIGQUIT');
      await gone();
      await start();
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    remove: async () => {
      signal('SIGCONT');
      await server.stop();
      process.off('exit', endWithTests);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
