// PostgreSQL, Kafka and an S3 server as processes of this machine. They listen at loopback, and are passed on to the address
// by which pods reach the machine, under the same ports.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startKafka, startS3Server } from '@heddle/local-servers';
import { EmbeddedPostgres } from '@heddle/platform-database';
import { NODE_ADDRESS } from '../node/node-addresses.ts';
import { noteProcess } from '../processes/kube-process.ts';
import { StopOrder } from '../processes/stop-order.ts';
import { startForward } from '../forward/start-forward.ts';
import type { KubePlaces } from '../kube-places.ts';
import { keptKeys } from './kept-keys.ts';

export interface PodServers {
  /** Of the database's owner. */
  readonly ownerUrl: string;
  readonly brokers: readonly string[];
  readonly s3: {
    readonly endpoint: string;
    readonly bucket: string;
    readonly accessKey: string;
    readonly secretKey: string;
  };
  stop(): Promise<void>;
}

const BUCKET = 'heddle';
const LOOPBACK = '127.0.0.1';
/** Two pods of each service, with a pool each, and those of an upgrade beside them. */
const CONNECTIONS = 200;

export async function startServers(
  cacheDir: string,
  places: KubePlaces,
  say: (line: string) => void,
): Promise<PodServers> {
  const stops = new StopOrder();
  mkdirSync(places.servers, { recursive: true, mode: 0o711 });
  return await stops.guard(async () => {
    const postgres = new EmbeddedPostgres({ dataDir: places.database, maxConnections: CONNECTIONS });
    await postgres.start();
    stops.add(async () => await postgres.stop());
    noteProcess(places, 'postgres', postgres.pid);
    const owner = new URL(postgres.url);
    owner.hostname = NODE_ADDRESS;

    const store = { cacheDir, dataDir: join(places.servers, 's3'), ...keptKeys(places) };
    const s3 = await startS3Server({ ...store, onProgress: say });
    stops.add(async () => await s3.stop());
    noteProcess(places, 's3', s3.pid);
    const { port } = new URL(s3.endpoint);

    const jars = { cacheDir, dataDir: join(places.servers, 'kafka'), advertisedHost: NODE_ADDRESS };
    const kafka = await startKafka({ ...jars, onProgress: say });
    stops.add(async () => await kafka.stop());
    noteProcess(places, 'kafka', kafka.pid(0));
    const ports = kafka.brokers.map((broker) => Number(broker.split(':')[1]));
    const pairs = [Number(owner.port), Number(port), ...ports].map((one) => ({
      at: { host: NODE_ADDRESS, port: one },
      to: { host: LOOPBACK, port: one },
    }));
    const forward = await startForward('forward-servers', pairs, places);
    stops.add(async () => await forward.stop());
    return {
      ownerUrl: owner.href,
      brokers: ports.map((one) => `${NODE_ADDRESS}:${one}`),
      s3: { endpoint: `http://${NODE_ADDRESS}:${port}`, bucket: BUCKET, ...keptKeys(places) },
      stop: async () => await stops.run(),
    };
  });
}
