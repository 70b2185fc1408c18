// A process with the internal ports of a cluster, with limits that a test can reach.
import { createReadStream } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { startEngineServer } from '@heddle/engine-comfyui-server';
import { servedLogs } from '@heddle/internal-api/serve';
import { WORKER_PROTOCOL, WorkController, WorkStreams } from '@heddle/internal-api/serve-work';
import { SELF_HOSTED_POOL } from '@heddle/contracts-messages';
import type { LogsPort, ServedWorkPort } from '@heddle/contracts-messages';
import { freePort } from '@heddle/platform-database';
import { BodyBudget } from '@heddle/platform-http/body-budget';
import { ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { startOpsServer } from '@heddle/platform-http/ops-server';
import { grpcStrategy, serveCallsPort } from '@heddle/platform-service-calls/serve';
import type { ByteRoute } from '@heddle/platform-service-calls/serve';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { NestFactory } from '@nestjs/core';

/** In bytes. */
export const BUDGET = 64 * 1024 ** 2;
export const HEAD_MS = 1_500;
export const STALLED_MS = 1_500;
export const UNAUTHENTICATED = 230;

export interface AttackedPorts {
  readonly calls: number;
  readonly work: number;
  readonly ops: number;
  readonly engine: number;
}

const [, , publicKey, file, directory] = process.argv;
if (publicKey !== undefined && file !== undefined && directory !== undefined && process.send !== undefined) {
  const ports = await open(publicKey, file, directory);
  process.on('disconnect', () => process.exit(0));
  process.send(ports);
}

async function open(key: string, path: string, folder: string): Promise<AttackedPorts> {
  const bodies = new BodyBudget(BUDGET);
  const metrics = new MetricsRegistry();
  const refused = metrics.counter({
    name: 'refused_total',
    help: 'By port and reason',
    labelNames: ['port', 'reason'],
  });
  const guard = (port: string): ConnectionGuard =>
    new ConnectionGuard({ connections: 400, unauthenticated: UNAUTHENTICATED, stalledMs: STALLED_MS }, (reason) =>
      refused.inc({ port, reason }),
    );
  const bounds = { host: '127.0.0.1', tokens: { publicKeys: [key], audience: 'called' }, bodies, headMs: HEAD_MS };
  const connections = guard('calls');
  const [logs] = servedLogs({} as LogsPort);
  const capture = { openTo: ['worker'], maxBytes: 16 * 1024 ** 2 };
  const openTo = ['gateway'];
  const bytes: ByteRoute[] = [
    { kind: 'upload', path: '/plain', openTo, handle: () => Promise.resolve({}) },
    { kind: 'download', path: '/head', openTo, handle: (head) => Promise.resolve({ head, body: null }) },
    {
      kind: 'download',
      path: '/file',
      openTo,
      handle: () => Promise.resolve({ head: null, body: createReadStream(path) }),
    },
  ];
  const contexts = [{ ...logs!, rules: { capture } }];
  const calls = await serveCallsPort({ ...bounds, port: 0, connections, contexts, bytes });
  const work = await freePort();
  const strategy = grpcStrategy({ ...WORKER_PROTOCOL, ...bounds, port: work, tls: null, connections: guard('work') });
  const streams = new WorkStreams({} as ServedWorkPort, { refused: () => undefined }, SELF_HOSTED_POOL, {
    helloMs: 60_000,
  });
  const module = {
    module: class WorkModule {},
    controllers: [WorkController],
    providers: [{ provide: WorkStreams, useValue: streams }],
  };
  await (await NestFactory.createMicroservice(module, { strategy, logger: false })).listen();
  const ops = await startOpsServer({
    host: '127.0.0.1',
    port: 0,
    metrics,
    readiness: [],
    connections: guard('ops'),
    notServing: () => null,
  });
  const engine = await startEngineServer({ directory: folder, port: 0 });
  return {
    calls: Number(new URL(calls.url).port),
    work,
    ops: (ops.address() as AddressInfo).port,
    engine: engine.port,
  };
}
