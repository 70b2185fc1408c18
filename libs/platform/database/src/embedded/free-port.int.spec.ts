import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { areFree, freePort, isFree, lastingPort } from './free-port.js';

const BUILT = fileURLToPath(new URL('../../dist/embedded/free-port.js', import.meta.url));

describe('free ports', () => {
  it('are chosen once in a process, below the range of outgoing connections', async () => {
    const ports: number[] = [];
    for (let i = 0; i < 50; i++) ports.push(await freePort());
    expect(new Set(ports).size).toBe(50);
    for (const port of ports) expect(port).toBeLessThan(32_000);
  });

  it('are passed over where somebody listens, also within a row', async () => {
    const first = await freePort(3);
    expect(await areFree(first, 3)).toBe(true);
    const server = createServer();
    await new Promise<void>((done) => server.listen(first + 1, '127.0.0.1', done));
    expect([await isFree(first), await isFree(first + 1), await areFree(first, 3)]).toEqual([true, false, false]);
    await new Promise((done) => server.close(done));
  });

  it('for servers that come back are none that others choose', async () => {
    const first = await lastingPort(3);
    expect(await areFree(first, 3)).toBe(true);
    expect(first + 2).toBeLessThan(20_000);
    for (let i = 0; i < 50; i++) expect(await freePort()).toBeGreaterThanOrEqual(20_000);
  });

  it('are others in processes that choose at the same time', async () => {
    const script = `import { freePort } from ${JSON.stringify(BUILT)};
      const ports = []; for (let i = 0; i < 10; i++) ports.push(await freePort()); console.log(JSON.stringify(ports));`;
    const choose = async (): Promise<number[]> => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
      return JSON.parse(stdout) as number[];
    };
    const chosen = (await Promise.all([choose(), choose(), choose(), choose()])).flat();
    expect(new Set(chosen).size).toBe(40);
  });
});
