import { expectStatus, failingGraph, jsonOf, sleepingGraph, textGraph } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal, sameBody } from './expectations.js';
import { unknownId, useServer } from './server.js';
import { surface } from './surface.js';

describe.runIf(surface.logs === 'no-route')('GET /api/v2/jobs/{id}/logs where no logs are captured', () => {
  const server = useServer();

  it('is a routing 404, the same for any id, and no job links to it (GET logs, rule 3) [LG01]', async () => {
    const { id, urls } = await server.client.submitted(textGraph());
    expect(urls).not.toHaveProperty('logs');
    const answer = await server.client.get(`/api/v2/jobs/${id}/logs`);
    expectRefusal(answer, 404, 'not_found');
    const otherwise = await fetch(new URL(`/api/v2/jobs/${id}/logs`, server.url), { method: 'DELETE' });
    expect([otherwise.status, otherwise.headers.get('allow')]).toEqual([404, null]);
    sameBody(answer, await server.client.get(`/api/v2/jobs/${unknownId()}/logs`));
  });

  it('does not hang for a client that asks to tail it (GET logs, rule 5) [LG06]', async () => {
    const { id } = await server.client.submitted(textGraph());
    const answer = await server.client.get(`/api/v2/jobs/${id}/logs`, { accept: 'text/event-stream' });
    expectRefusal(answer, 404, 'not_found');
    expect(answer.tookMs).toBeLessThan(20_000);
  });
});

describe.runIf(surface.logs !== 'no-route')('GET /api/v2/jobs/{id}/logs where jobs may have a log', () => {
  const server = useServer();
  const logOf = (id: string) => server.client.get(`/api/v2/jobs/${id}/logs`);

  it('answers like the job itself for an unknown one (GET logs)', async () => {
    const id = unknownId();
    sameBody(await logOf(id), await server.client.job(id));
  });

  it('is the capture of a job that ended by itself, also with an error, where the surface captures (accounts, Logs) [LG01]', async () => {
    for (const graph of [textGraph(), failingGraph()]) {
      const { id, urls } = await server.client.submitted(graph);
      await server.client.ended(id);
      const answer = await logOf(id);
      if (surface.logs === 'empty') {
        expectStatus(answer, 204);
        expect(urls).not.toHaveProperty('logs');
        continue;
      }
      expectStatus(answer, 200);
      expect(urls).toHaveProperty('logs', expect.stringMatching(new RegExp(`/api/v2/jobs/${id}/logs$`)));
      expect(jsonOf(answer)).toEqual({
        text: expect.stringContaining(`job ${id}, attempt 1, `) as string,
        truncated: false,
        complete: true,
        captured_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      });
    }
  });

  it('is absent for a job that was canceled (accounts, Logs) [LG04]', async () => {
    const { id } = await server.client.submitted(sleepingGraph(60));
    await server.client.cancel(id);
    await server.client.ended(id);
    expectStatus(await logOf(id), 204);
    expectStatus(await logOf(id), 204);
  });
});
