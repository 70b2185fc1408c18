import { textGraph } from '@heddle/testing-api';
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
