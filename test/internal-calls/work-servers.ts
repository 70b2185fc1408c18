import { WORKER_PROTOCOL, WorkController, WorkStreams } from '@heddle/internal-api/serve-work';
import type { StreamBounds } from '@heddle/internal-api/serve-work';
import { RemoteWork } from '@heddle/internal-api/remote-work';
import { defaultPoolOf } from '@heddle/contracts-messages';
import type { ServedWorkPort, WorkerPool } from '@heddle/contracts-messages';
import { freePort } from '@heddle/platform-database';
import type { RenewableTls } from '@heddle/platform-service-calls';
import { grpcStrategy } from '@heddle/platform-service-calls/serve';
import { NestFactory } from '@nestjs/core';
import { TOKENS } from './call-servers.js';

/** A server of the worker protocol for a port of the jobs service */
export interface WorkServer {
  readonly port: number;
  readonly url: string;
  readonly streams: WorkStreams;
  /** Reasons of messages that the stream itself refused */
  readonly refused: string[];
  close(): Promise<void>;
}

interface WorkServerOptions {
  readonly port?: number;
  readonly tls?: RenewableTls | null;
  readonly bounds?: Partial<StreamBounds>;
  /** The pool of tokens that name no deployment */
  readonly defaultPool?: WorkerPool | null;
}

class WorkModule {}

export async function workServer(
  work: ServedWorkPort,
  { port, tls = null, bounds, defaultPool = defaultPoolOf('self-hosted') }: WorkServerOptions = {},
): Promise<WorkServer> {
  const bound = port ?? (await freePort());
  const refused: string[] = [];
  const streams = new WorkStreams(work, { refused: (reason) => refused.push(reason) }, defaultPool, bounds);
  const strategy = grpcStrategy({
    ...WORKER_PROTOCOL,
    host: '127.0.0.1',
    port: bound,
    tokens: TOKENS,
    tls,
  });
  const providers = [{ provide: WorkStreams, useValue: streams }];
  const module = { module: WorkModule, controllers: [WorkController], providers };
  const app = await NestFactory.createMicroservice(module, { strategy, logger: false });
  await app.listen();
  return {
    port: bound,
    url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${bound}`,
    streams,
    refused,
    close: async () => {
      await streams.end();
      await app.close();
    },
  };
}

/** The port of a worker with this token. */
export function remoteWork(urls: readonly string[], token: string, tls: RenewableTls | null = null): RemoteWork {
  return new RemoteWork({ urls, token: () => token, tls });
}
