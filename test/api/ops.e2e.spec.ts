import { eventually, send, sleepingGraph, textGraph, textOf } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { topology } from './server-under-test.js';
import { ownServer, useServer } from './server.js';

/** A cluster stops in three groups: gateways, workers, then the services that these call. */
const STOP_WITHIN_MS = topology === 'cluster' ? 3 * 10_000 : 10_000;

/** A gateway spreads the ends of its streams over this time, so a probe on a busy machine sees the stop. */
const server = useServer({ HEDDLE_STREAMS_DRAIN_S: '6' }, { alone: true });
/** Each of the two gateways of a cluster has several. */
const STREAMS = 6;

describe.runIf(ownServer)('the ops port', () => {
  const get = (target: string) => send(server.opsUrl, { method: 'GET', target });

  it.each(['/livez', '/readyz'])(
    'answers 200 to GET %s of a service that serves (decisions, Every service)',
    async (target) => {
      expect((await get(target)).status).toBe(200);
    },
  );

  it('serves Prometheus text at /metrics, in which requests are counted (decisions, Every service)', async () => {
    await server.client.submitted(textGraph());
    const answer = await get('/metrics');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    const lines = textOf(answer)
      .split('\n')
      .filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines)
      expect(line).toMatch(/^(# (HELP|TYPE) |[a-zA-Z_:][\w:]*(\{.*\})? [-+]?([\d.]+(e[-+]?\d+)?|Inf|NaN)( \d+)?$)/i);
    expect(textOf(answer)).toMatch(/^heddle_/m);
  });

  it('has no label that grows with ids: the same series after more jobs', async () => {
    const series = async (): Promise<number> =>
      textOf(await get('/metrics'))
        .split('\n')
        .filter((line) => /^\w/.test(line)).length;
    const jobs = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i += 1)
        await server.client.reached((await server.client.submitted(textGraph())).id, 'succeeded');
    };
    await jobs(3);
    const counts = [await series()];
    // A series appears with its first count, which may be a rare one: a late report, a first sweep.
    while (counts.length < 5 && counts.at(-1) !== counts.at(-2)) {
      await jobs(5);
      counts.push(await series());
    }
    expect(counts.at(-1), counts.join()).toBe(counts.at(-2));
  });

  it('answers 404 to what it does not know and serves nothing of v2', async () => {
    expect((await get('/')).status).toBe(404);
    expect((await get('/api/v2/jobs')).status).toBe(404);
  });

  it('is not on the public port', async () => {
    for (const target of ['/livez', '/readyz', '/metrics']) expect((await server.client.get(target)).status).toBe(404);
  });
});

describe.runIf(ownServer)('stopping', () => {
  it('ends within 10 seconds of SIGTERM with code 0, is not ready meanwhile, and tells open streams (decisions, npm start)', async () => {
    const { id } = await server.client.submitted(sleepingGraph(60));
    const streams = [];
    for (let i = 0; i < STREAMS; i += 1) streams.push(await server.client.events(id));
    const started = performance.now();
    const terminated = server.process.terminate();
    await eventually('the service being not ready', async () => {
      const { status } = await send(server.opsUrl, { method: 'GET', target: '/readyz' });
      return status === 503;
    });
    expect(await terminated).toBe(0);
    expect(performance.now() - started).toBeLessThan(STOP_WITHIN_MS);
    for (const stream of streams) {
      await stream.all();
      expect(stream.text()).toMatch(/\n\n: stopping\nretry: \d{3,4}\n\n$/);
    }
    await eventually('the port being closed', async () => {
      const answer = await send(server.url, { method: 'GET', target: '/api/v2/jobs' }).catch(() => null);
      return answer === null;
    });
  });

  it('wrote JSON lines and nothing else to standard error (architecture: logs JSON lines)', () => {
    const lines = server.process
      .stderr()
      .split('\n')
      .filter((line) => line.trim() !== '');
    const odd = lines.filter((line) => {
      try {
        return typeof JSON.parse(line) !== 'object';
      } catch {
        return true;
      }
    });
    expect(odd).toEqual([]);
  });
});
