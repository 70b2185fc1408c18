import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The queue of one deployment, as the jobs service reports it. */
export interface Queue {
  waiting: number;
  leased: number;
}

export interface QueueExporter {
  readonly url: string;
  /** May be written at any time. */
  readonly queue: Queue;
  stop(): Promise<void>;
}

/** Metrics of a queue that a spec sets. */
export async function startQueueExporter(deployment: string): Promise<QueueExporter> {
  const queue = { waiting: 0, leased: 0 };
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    const lines = Object.entries(queue).flatMap(([name, value]) => [
      `# TYPE heddle_deployment_${name} gauge`,
      `heddle_deployment_${name}{deployment="${deployment}"} ${value}`,
    ]);
    response.end(`${lines.join('\n')}\n`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    queue,
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
