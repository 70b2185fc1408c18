import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiClient } from '../api/api-client.js';
import { readJob } from '../api/wire.js';
import type { WireJob } from '../api/wire.js';
import { hostileServer, sendJson } from '../hostile-server.fixture.js';
import { followJob } from './follow-job.js';

const ID = '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10';
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

function body(status: string, more: object = {}): object {
  return {
    id: ID,
    status,
    outputs: [],
    urls: { self: `/api/v2/jobs/${ID}`, events: `/api/v2/jobs/${ID}/events` },
    ...more,
  };
}

function jobOf(value: object): WireJob {
  const job = readJob(value);
  if (job === null) throw new Error('no job');
  return job;
}

interface Script {
  readonly job: (poll: number, response: ServerResponse) => void;
  readonly events: (connection: number, response: ServerResponse) => void;
}

async function follow(script: Script, options: { patienceMs?: number } = {}) {
  let polls = 0;
  let connections = 0;
  const service = await hostileServer(({ url }, response) =>
    url.endsWith('/events') ? script.events(++connections, response) : script.job(++polls, response),
  );
  const client = new ApiClient(service.url, null);
  open.push(client, service);
  const reported: string[] = [];
  const observer = {
    status: ({ status }: { status: string }) => reported.push(status),
    progress: ({ value }: { value: number }) => reported.push(String(value)),
    output: ({ name }: { name: string }) => reported.push(name),
    away: (isAway: boolean) => reported.push(isAway ? 'lost' : 'back'),
  };
  const ended = await followJob(client, jobOf(body('queued')), observer, {
    signal: new AbortController().signal,
    ...options,
  });
  return { ended, reported, polls, connections };
}

const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });
const frame = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

describe('following a job', () => {
  it('prints what the stream sends, and returns what GET answers in the end', async () => {
    const { ended, reported } = await follow({
      job: (_, response) => sendJson(response, 200, body('succeeded', { metrics: { execution_ms: 7 } })),
      events: (_, response) => {
        stream(response).write(
          frame('status', { status: 'running', queue_position: null }) + frame('progress', { value: 0.5 }),
        );
        response.write(frame('preview', { node_id: '1' }) + frame('surprise', {}) + 'data: not json\n\n');
        response.end(frame('output', { id: 'o', name: 'a.png' }) + frame('status', { status: 'succeeded' }));
      },
    });
    expect(ended.executionMs).toBe(7);
    expect(reported).toEqual(['queued', 'running', '0.5', 'a.png', 'succeeded']);
  });

  it('ends by polling alone where there is no stream', async () => {
    const { ended, reported } = await follow({
      job: (poll, response) =>
        sendJson(
          response,
          200,
          body(poll < 2 ? 'running' : 'failed', { error: { code: 'timeout', message: 'too long' } }),
        ),
      events: (_, response) => sendJson(response, 501, { error: { code: 'not_implemented', message: '' } }),
    });
    expect(ended.error?.code).toBe('timeout');
    expect(reported).toEqual(['queued', 'running', 'failed']);
  });

  it('connects again when the stream breaks', async () => {
    let ended = false;
    const { reported, connections } = await follow({
      job: (_, response) => sendJson(response, 200, body(ended ? 'succeeded' : 'running')),
      events: (connection, response) => {
        stream(response).write(frame('status', { status: 'running' }));
        ended = connection === 3;
        if (ended) response.end(frame('status', { status: 'succeeded' }));
        else response.socket?.end();
      },
    });
    expect(connections).toBe(3);
    expect(reported).toEqual(['queued', 'running', 'succeeded']);
  });

  it('outlives refusals and cut connections of its polls, and reports once that the service is away and back', async () => {
    const { ended, reported } = await follow({
      job: (poll, response) => {
        if (poll <= 2) response.socket?.destroy();
        else if (poll === 3)
          sendJson(response, 429, { error: { code: 'rate_limited', message: '' } }, { 'retry-after': '1' });
        else sendJson(response, 200, body('succeeded'));
      },
      events: (_, response) => response.socket?.destroy(),
    });
    expect(ended.status).toBe('succeeded');
    expect(reported).toEqual(['queued', 'lost', 'back', 'succeeded']);
  });

  it('ends with exit code 3 when the service stays away, and says how to go on', async () => {
    const gone = follow(
      { job: (_, response) => response.socket?.destroy(), events: (_, response) => response.socket?.destroy() },
      { patienceMs: 100 },
    );
    await expect(gone).rejects.toMatchObject({
      exitCode: 3,
      nextStep: expect.stringContaining(`heddle watch ${ID}`) as string,
    });
  });

  it('ends at once when the job is gone', async () => {
    const gone = follow({
      job: (_, response) => sendJson(response, 404, { error: { code: 'not_found', message: 'no job' } }),
      events: (_, response) => sendJson(response, 404, { error: { code: 'not_found', message: 'no job' } }),
    });
    await expect(gone).rejects.toMatchObject({ code: 'not_found', exitCode: 1 });
  });
});
