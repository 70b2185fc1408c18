import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lastingPort, withFreePorts } from '@heddle/platform-database';
import { installS3Server } from './install-s3-server.js';
import { S3Process } from './s3-process.js';

interface S3ServerOptions {
  /** Folder that keeps the binary between runs. */
  readonly cacheDir: string;
  /** Holds the objects and the log; created if missing. */
  readonly dataDir: string;
  /** Default: a free port. */
  readonly port?: number;
  /** Default: new random keys. */
  readonly accessKey?: string;
  readonly secretKey?: string;
  /** Buckets are also reachable as `<bucket>.<virtualDomain>`. */
  readonly virtualDomain?: string;
  readonly onProgress?: (line: string) => void;
  /** Called when the server has ended, and was not stopped from here: `start` brings it back. */
  readonly onEnded?: (how: string) => void;
  /** Gives up what is built for the start. */
  readonly signal?: AbortSignal;
}

/** A local S3 server, reachable from this machine only. */
export interface RunningS3 {
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  readonly log: string;
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  /** SIGKILL; `start` restarts it with the same port, credentials and objects. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** SIGTERM, then SIGKILL after 8 s. */
  stop(): Promise<void>;
}

const REGION = 'us-east-1';

/** Installs the server if needed, starts it and waits until it answers. */
export async function startS3Server(options: S3ServerOptions): Promise<RunningS3> {
  const binary = await installS3Server(options.cacheDir, options.onProgress, options.signal);
  options.signal?.throwIfAborted();
  const folder = resolve(options.dataDir);
  const objectsDir = join(folder, 'objects');
  await mkdir(objectsDir, { recursive: true, mode: 0o700 });
  let port = options.port ?? 0;
  const accessKey = options.accessKey ?? randomBytes(10).toString('hex');
  const secretKey = options.secretKey ?? randomBytes(20).toString('hex');
  const logFile = join(folder, 'server.log');
  let running: S3Process | null = null;
  const run = (): Promise<S3Process> =>
    S3Process.start({
      binary,
      port,
      objectsDir,
      logFile,
      accessKey,
      secretKey,
      region: REGION,
      virtualDomain: options.virtualDomain,
      ended: (how) => {
        running = null;
        options.onEnded?.(how);
      },
    });
  running = await withFreePorts(options.port === undefined ? [] : [options.port], async () => {
    port = options.port ?? (await lastingPort());
    return await run();
  });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    accessKey,
    secretKey,
    region: REGION,
    log: logFile,
    get pid() {
      return running?.pid;
    },
    start: async () => {
      running ??= await run();
    },
    kill: async () => {
      await running?.kill();
      running = null;
    },
    stop: async () => {
      await running?.stop();
      running = null;
    },
  };
}
