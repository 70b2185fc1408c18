import { expectStatus, jsonOf, textGraph } from '@heddle/testing-api';
import type { Job } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectUrlExpiry } from './expectations.js';
import { ownServer, useServer, waiting } from './server.js';
import { surface } from './surface.js';

describe.runIf(ownServer && surface.content === 'bytes')('links behind other names', () => {
  const plain = useServer(waiting);
  const forwarding = useServer({ HEDDLE_TRUST_FORWARDED: 'true' }, { gatewayBefore: 'plain' });
  const fixed = useServer(
    { HEDDLE_PUBLIC_BASE_URL: 'https://heddle.example/base', HEDDLE_URL_EXPIRY: 'null' },
    { gatewayBefore: 'plain' },
  );
  const spoofed = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' };

  it('does not believe X-Forwarded-* by default (decisions, urls) [XC03]', async () => {
    const job = jsonOf<Job>(expectStatus(await plain.client.submit(textGraph(), { headers: spoofed }), 201));
    expect(job.urls.self).toBe(`${plain.url}/api/v2/jobs/${job.id}`);
  });

  it('uses the name by which it was called', async () => {
    const { port } = new URL(plain.url);
    const client = plain.client.as({ linkOrigin: `http://localhost:${port}` });
    const job = jsonOf<Job>(
      expectStatus(await client.submit(textGraph(), { headers: { host: `localhost:${port}` } }), 201),
    );
    expect(job.urls.self).toBe(`http://localhost:${port}/api/v2/jobs/${job.id}`);
  });

  it('believes X-Forwarded-* where the operator says so (decisions, urls)', async () => {
    const client = forwarding.client.as({ linkOrigin: 'https://evil.example' });
    const job = jsonOf<Job>(expectStatus(await client.submit(textGraph(), { headers: spoofed }), 201));
    expect(job.urls.events).toBe(`https://evil.example/api/v2/jobs/${job.id}/events`);
  });

  it('reports now + 24 h for url_expires_at, on every output of a stream too (decisions, Assets: url)', async () => {
    expectUrlExpiry((await plain.client.uploaded()).url_expires_at, 'asset');
    const { id } = await forwarding.client.submitted(textGraph());
    const { outputs } = await forwarding.client.reached(id, 'succeeded');
    expectUrlExpiry(outputs[0]?.url_expires_at, 'output');
  });

  it('reports no end of a link where HEDDLE_URL_EXPIRY is null', async () => {
    const client = fixed.client.as({ linkOrigin: 'https://heddle.example/base' });
    expect((await client.uploaded()).url_expires_at).toBeNull();
    const job = await client.submitted(textGraph());
    const { outputs } = await client.reached(job.id, 'succeeded');
    expect(outputs.map((output) => output.url_expires_at)).toEqual([null]);
  });

  it('lets HEDDLE_PUBLIC_BASE_URL decide (decisions, urls)', async () => {
    const client = fixed.client.as({ linkOrigin: 'https://heddle.example/base' });
    const job = jsonOf<Job>(expectStatus(await client.submit(textGraph()), 201));
    expect(job.urls.self).toBe(`https://heddle.example/base/api/v2/jobs/${job.id}`);
  });
});
