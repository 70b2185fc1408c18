import { expectStatus, jsonOf, pictureGraph, textGraph } from '@heddle/testing-api';
import type { Job } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { msBetween } from './expectations.js';
import { ownServer, useServer, waiting } from './server.js';
import { surface } from './surface.js';

describe('POST /api/v2/jobs, accepted', () => {
  const server = useServer(waiting);

  it('answers 201 and the whole Job, queued (States: job creation) [JS01] [JB06]', async () => {
    const job = await server.client.submitted(pictureGraph());
    expect(job).toMatchObject({ outputs: [], error: null, metadata: {} });
    if (ownServer) {
      expect(job).toMatchObject({ status: 'queued', started_at: null, completed_at: null });
      expect(job.queue_position).toBeGreaterThanOrEqual(1);
      expect(job.metrics).toEqual({ queue_ms: null, execution_ms: null });
    }
    expect(msBetween(job.created_at, job.expires_at)).toBe(30 * 86_400_000);
    const self = await server.client.follow(job.urls.self);
    expect(jsonOf<Job>(expectStatus(self, 200)).id).toBe(job.id);
  });

  it('has every key of a Job, null where not known (decisions, Job fields)', async () => {
    const job = await server.client.submitted(textGraph());
    const keys =
      'id status created_at started_at completed_at expires_at queue_position progress outputs error metrics urls metadata deployment_id';
    expect(Object.keys(job).sort()).toEqual(keys.split(' ').sort());
  });

  it('links to self, events, cancel and workflow, to logs only where they are captured (decisions, urls) [XC03]', async () => {
    const { id, urls } = await server.client.submitted(textGraph());
    const at = `${server.url}/api/v2/jobs/${id}`;
    const logs = surface.logs === 'captured' ? { logs: `${at}/logs` } : {};
    expect(urls).toEqual({
      self: at,
      events: `${at}/events`,
      cancel: `${at}/cancel`,
      workflow: `${at}/workflow`,
      ...logs,
    });
  });

  it('counts the nodes that an output depends on (decisions, nodes_total)', async () => {
    const graph = {
      ...pictureGraph(),
      '9': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
    };
    const job = await server.client.submitted(graph);
    if (job.progress !== null) expect(job.progress).toMatchObject({ nodes_total: 2, nodes_done: 0 });
  });

  it('makes two jobs of one body sent twice without a key [ID14]', async () => {
    const graph = textGraph();
    const [first, second] = [await server.client.submitted(graph), await server.client.submitted(graph)];
    expect(first.id).not.toBe(second.id);
  });

  it('takes extra_data {} [JS19]', async () => {
    await server.client.submitted(textGraph(), { extraData: {} });
  });

  it('ignores an unknown top-level field (decisions, Labels) [JS20]', async () => {
    await server.client.submitted(textGraph(), { more: { foo: { bar: [1] }, priority: 3 } });
  });

  it.each([
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-8',
    undefined,
  ])('reads the body whatever the content type %s says (decisions, Error codes: never 415)', async (type) => {
    const body = JSON.stringify({ workflow: textGraph() });
    const headers = type === undefined ? {} : { 'content-type': type };
    expectStatus(await server.client.request('POST', '/api/v2/jobs', { headers, body }), 201);
  });

  it('takes a body in pieces, without Content-Length', async () => {
    const body = Buffer.from(JSON.stringify({ workflow: textGraph('ü€'.repeat(5000)) }));
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < body.length; at += 997) yield body.subarray(at, at + 997);
    }
    expectStatus(await server.client.request('POST', '/api/v2/jobs', { body: pieces() }), 201);
  });

  it('does not take a node called "nodes" for the UI format [JS05]', async () => {
    const graph = textGraph();
    await server.client.submitted({
      nodes: graph['1'],
      '2': { class_type: 'PreviewAny', inputs: { source: ['nodes', 0] } },
    });
  });
});
