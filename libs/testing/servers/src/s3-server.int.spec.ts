import { expect, it } from 'vitest';
import { describeOnS3 } from './describe-on-s3.js';

describeOnS3('a local S3 server', (server) => {
  const health = async (): Promise<number> => (await fetch(`${server().endpoint}/healthz`)).status;

  it('answers once it is started, comes back on the same port after a kill, and refuses strangers', async () => {
    const { endpoint, pid } = server();
    expect(await health()).toBe(200);
    expect((await fetch(endpoint)).status).toBe(403);
    await server().kill();
    await expect(fetch(`${endpoint}/healthz`)).rejects.toThrow();
    await server().start();
    expect(await health()).toBe(200);
    expect(server().endpoint).toBe(endpoint);
    expect(server().pid).not.toBe(pid);
  });
});
