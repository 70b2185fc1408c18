import { sleepingGraph, textGraph } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { ownServer, useServer } from './server.js';

describe.runIf(ownServer)('a service that is killed', () => {
  const server = useServer({ HEDDLE_LEASE_S: '2', HEDDLE_WORKERS: '1' });

  it('still has the job that it acknowledged the moment before, and runs it (What the service does, rule 2) [JS02]', async () => {
    const running = await server.client.submitted(sleepingGraph(3));
    await server.client.reached(running.id, 'running');
    const waiting = await server.client.submitted(textGraph('after the crash'));
    await server.restart('kill9');
    expect((await server.client.job(waiting.id)).status).toBe(200);
    await server.client.reached(running.id, 'succeeded', 25_000);
    await server.client.reached(waiting.id, 'succeeded', 25_000);
  });

  it('answers every asset and job that it acknowledged, wherever it was killed [XC11]', async () => {
    const asset = await server.client.uploaded({ bytes: Buffer.from('kept through the crash') });
    const jobs = await Promise.all(Array.from({ length: 10 }, () => server.client.submitted(textGraph())));
    await server.restart('kill9');
    expect((await server.client.content(asset.id)).bytes.toString()).toBe('kept through the crash');
    for (const { id } of jobs) await server.client.reached(id, 'succeeded', 20_000);
  });
});
