import { assetReference, expectStatus, loadGraph, textGraph } from '@heddle/testing-api';
import { describe, it } from 'vitest';
import { expectRefusal } from './expectations.js';
import { newKey, ownServer, unknownId, useServer } from './server.js';
import { surface } from './surface.js';

const TOKEN = 'order-of-checks-token';
const evil = { origin: 'http://evil.example' };
const bad = { '1': { class_type: 'Nope', inputs: {} } };

describe.runIf(ownServer && surface.credential === 'static')('the order of checks (decisions, Everywhere)', () => {
  const server = useServer({
    HEDDLE_STATIC_TOKEN: TOKEN,
    HEDDLE_WORKERS: '0',
    HEDDLE_BODY_BYTES: '2000',
    HEDDLE_QUEUE_DEPTH_ACCOUNT: '1',
    HEDDLE_READ_RATE: '0.1',
    HEDDLE_READ_BURST: '3',
  });
  const anonymous = () => server.client.as({});
  const large = `{"workflow":${JSON.stringify(textGraph())}}`.padEnd(3000);

  it('looks at the origin before the route, the method and the credential', async () => {
    for (const [method, target] of [
      ['GET', '/nowhere'],
      ['PUT', '/api/v2/jobs'],
      ['GET', '/api/v2/jobs'],
    ] as const) {
      expectRefusal(await anonymous().request(method, target, { headers: evil }), 403, 'forbidden_origin');
    }
  });

  it('looks at route and method before the credential', async () => {
    expectRefusal(await anonymous().get('/api/v2/nowhere'), 404, 'not_found');
    expectRefusal(await anonymous().request('PUT', '/api/v2/jobs'), 405, 'method_not_allowed');
  });

  it('looks at the credential before the size, the key and the body', async () => {
    const headers = { 'idempotency-key': 'a b' };
    expectRefusal(await anonymous().request('POST', '/api/v2/jobs', { headers, body: large }), 401, 'unauthorized');
    expectRefusal(await anonymous().request('POST', '/api/v2/assets', { headers, body: 'x' }), 401, 'unauthorized');
  });

  it('looks at the size before the form of the key', async () => {
    expectRefusal(await server.client.submitRaw(large, { key: 'a b' }), 413, 'payload_too_large');
  });

  it('looks at the key before the body, the assets, the graph and the queue', async () => {
    const key = newKey();
    await server.client.submitted(textGraph(), { key });
    expectRefusal(await server.client.submitRaw(large, { key }), 413, 'payload_too_large');
    for (const body of [
      '{',
      '{"workflow":{"nodes":[],"links":[]}}',
      JSON.stringify({ workflow: bad }),
      JSON.stringify({ workflow: textGraph() }),
    ]) {
      expectRefusal(await server.client.submitRaw(body, { key }), 422, 'idempotency_key_reuse');
    }
    const missing = loadGraph(assetReference(unknownId()));
    expectRefusal(await server.client.submit(missing, { key }), 422, 'idempotency_key_reuse');
  });

  it('looks at the form, then at the assets, then at the graph, and at the queue last', async () => {
    const missing = loadGraph(assetReference(unknownId()));
    expectRefusal(
      await server.client.submit({ ...missing, ...bad }, { more: { inputs: {} } }),
      422,
      'invalid_workflow',
    );
    expectRefusal(await server.client.submit({ ...missing, '1': bad['1'] }), 422, 'missing_asset');
    expectRefusal(await server.client.submit(bad), 422, 'invalid_workflow');
    expectRefusal(await server.client.submit(textGraph()), 429, 'queue_full');
  });

  it('looks at the key of an upload before its form', async () => {
    const key = newKey();
    const form = { bytes: Buffer.from('x'), content_type: 'a/b', file_path: 'x' };
    expectStatus(await server.client.upload(form, { key }), 201);
    expectRefusal(await server.client.upload({ ...form, file_path: '../x' }, { key }), 422, 'idempotency_key_reuse');
    expectRefusal(await server.client.upload({ content_type: 'a/b' }, { key }), 422, 'idempotency_key_reuse');
  });

  it('looks at the credential before the rate of reads, and at the rate before the id', async () => {
    for (let i = 0; i < 4; i += 1) await server.client.job(unknownId());
    expectRefusal(await server.client.job(unknownId()), 429, 'rate_limited');
    expectRefusal(await anonymous().job(unknownId()), 401, 'unauthorized');
  });
});
