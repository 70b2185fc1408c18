import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertPortsFree, listening, PortTakenError } from './listen.js';

const HOST = '127.0.0.1';

describe('a port that somebody else listens on', () => {
  const servers: Server[] = [];
  const taken = async (): Promise<number> => {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, HOST, done));
    return (server.address() as AddressInfo).port;
  };
  let port: number;
  let other: number;
  beforeAll(async () => {
    port = await taken();
    other = await taken();
  });
  afterAll(() => servers.forEach((server) => server.close()));

  it('is refused with its holder and the setting that moves it', async () => {
    const holder = process.platform === 'linux' ? `process ${process.pid} \\(node.*\\)` : 'another process';
    const refused = assertPortsFree([{ setting: 'HEDDLE_PORT', host: HOST, port }]);
    await expect(refused).rejects.toThrow(PortTakenError);
    await expect(refused).rejects.toThrow(
      new RegExp(`^port ${port} is in use by ${holder}: stop that process, or set HEDDLE_PORT to another port$`),
    );
    await expect(listening('HEDDLE_PORT', port, () => refused)).rejects.toThrow(`port ${port}`);
  });

  it('is one line of all of them, in the order in which they are named', async () => {
    const refused = assertPortsFree([
      { setting: 'HEDDLE_PORT', host: HOST, port },
      { setting: 'HEDDLE_OPS_PORT', host: HOST, port: other },
    ]);
    await expect(refused).rejects.toThrow(/^port .*HEDDLE_PORT to .*\nport .*HEDDLE_OPS_PORT to .*$/);
  });

  it('is no port that the system chooses, nor one that is free', async () => {
    const server = servers.at(-1)!;
    await new Promise((done) => server.close(done));
    await assertPortsFree([
      { setting: 'HEDDLE_PORT', host: HOST, port: 0 },
      { setting: 'HEDDLE_OPS_PORT', host: HOST, port: other },
    ]);
  });

  it('is told in words too where the address is not one of this machine', async () => {
    const refused = assertPortsFree([{ setting: 'HEDDLE_PORT', host: '198.51.100.7', port: 8189 }]);
    await expect(refused).rejects.toThrow('HEDDLE_HOST is not an address of this machine (EADDRNOTAVAIL)');
  });
});
