import { randomBytes } from 'node:crypto';
import { withCluster, withServers } from '../cluster/running-cluster.ts';
import { startFloor } from '../floor-server.ts';
import type { Sample } from '../rows.ts';
import type { Uploaded } from './uploads.ts';
import { load, record, send, sendMultipart, SIZE } from './uploads.ts';

/** Row U4: 100 MiB through gateway and assets to S3, compared with a bare pipe with BLAKE3 to the same S3 server. */
export async function measureClusterUploads(): Promise<Sample> {
  const bytes = randomBytes(SIZE);
  const sample: Record<string, number> = {};
  await withServers(async (servers) => {
    await withCluster(servers, 'gateway=1', async (running) => {
      await running.withoutWorkers();
      const { bucket } = running.cluster.place;
      const floor = await startFloor('s3-upload.ts', [JSON.stringify({ ...servers.s3, bucket })]);
      const port = running.gatewayPorts[0]!;
      const pids = [...running.pidsOf('gateway'), ...running.pidsOf('assets')];
      try {
        for (const parallel of [1, 4]) {
          const bare = await load([floor.pid], parallel, bytes, (body) => send(floor.port, '/', {}, [body]));
          record(sample, `s3-upload-floor${parallel}`, bare);
          const ours = await load(pids, parallel, bytes, (body) => sendMultipart(port, body));
          record(sample, `s3-upload${parallel}`, ours);
          const told = (name: string, { cpu, peak }: Uploaded): string =>
            `${name} ${cpu.toFixed(0)} ms of CPU for 100 MB, peak ${peak.toFixed(0)} MiB`;
          process.stderr.write(
            `  ${parallel} at a time: ${told('floor', bare)}; ${told('gateway and assets', ours)}\n`,
          );
        }
      } finally {
        await floor.stop();
      }
    });
  });
  return sample;
}
