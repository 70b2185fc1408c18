import { join } from 'node:path';
import { startS3Server } from '@heddle/local-servers';
import type { Infrastructure, InfrastructureOptions, StartedPart } from '../infrastructure.js';
import { ProcessLives } from '../supervise/process-lives.js';
import { SupervisedServer } from '../supervise/supervised-server.js';

/** Starts a local S3 server, unless the settings name an endpoint. */
export async function startStore(options: InfrastructureOptions): Promise<StartedPart<Infrastructure['s3']>> {
  const { settings, dataDir, cacheDir, progress, watch, signal } = options;
  const bucket = settings.s3Bucket ?? 'heddle';
  if (settings.s3Endpoint !== null) {
    const keys = { accessKey: settings.s3AccessKey ?? '', secretKey: settings.s3SecretKey ?? '' };
    return { facts: { endpoint: settings.s3Endpoint, bucket, ...keys }, servers: [], stop: () => Promise.resolve() };
  }
  let supervised: SupervisedServer | null = null;
  const server = await progress.step('S3 server', async (note) =>
    startS3Server({
      cacheDir,
      dataDir: join(dataDir, 's3'),
      onProgress: note,
      onEnded: (how) => supervised?.ended(how),
      ...(signal && { signal }),
    }),
  );
  const { endpoint, accessKey, secretKey, log } = server;
  const place = { name: 's3', logFile: log, port: Number(new URL(endpoint).port), callsPort: null, opsPort: null };
  supervised = new SupervisedServer(new ProcessLives(place, watch), {
    start: async () => await server.start(),
    stop: async () => await server.stop(),
    pid: () => server.pid,
  });
  const { lives } = supervised;
  return {
    facts: { endpoint, accessKey, secretKey, bucket },
    servers: [lives],
    stop: async () => await supervised.stop(),
  };
}
