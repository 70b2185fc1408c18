import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { RemoteWork } from '@heddle/internal-api/remote-work';
import { expect, it } from 'vitest';

it('a worker that starts before the jobs service says once that it waits, and warns of nothing', async () => {
  let attempts = 0;
  const notJobs = createServer((socket) => {
    attempts++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => notJobs.listen(0, '127.0.0.1', resolve));
  const { port } = notJobs.address() as AddressInfo;
  const lines: string[] = [];
  const logger = {
    info: (_: unknown, line: string) => void lines.push(`info: ${line}`),
    warn: (_: unknown, line: string) => void lines.push(`warn: ${line}`),
  };
  const work = new RemoteWork({
    urls: [`http://127.0.0.1:${port}`],
    token: () => 'token',
    tls: null,
    logger: logger as never,
  });
  const session = work.open(
    { workerId: 'worker', environment: { engine: 'spec' } } as never,
    { leases: () => undefined, states: () => undefined } as never,
  );
  try {
    await expect.poll(() => attempts, { timeout: 10_000 }).toBeGreaterThan(3);
    expect(lines).toEqual(['info: waiting for the jobs service']);
  } finally {
    await session.close();
    notJobs.close();
  }
});
