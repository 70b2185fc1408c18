import { codeOf, jsonOf, textGraph } from '@heddle/testing-api';
import type { Answer, ErrorBody, Job } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { newKey, unknownId, useServer } from './server.js';
import { surface } from './surface.js';

/**
 * The suite's client checks every answer of every test against answer-rules.ts and the OpenAPI document. This file has one
 * answer of each kind.
 */
describe('every answer', () => {
  const server = useServer();

  it('that refuses is the envelope with a code of lower-case words and a message, and reveals nothing of the machine [XC01]', async () => {
    const asks: [string, () => Promise<Answer>][] = [
      ['invalid_cursor', () => server.client.jobs('?cursor=x')],
      ['invalid_metadata_filter', () => server.client.jobs('?metadata=x')],
      ['not_found', () => server.client.job(unknownId())],
      ['not_found', () => server.client.get('/nowhere')],
      ['blob_not_found', () => server.client.fromHash({ hash: `blake3:${'0'.repeat(64)}` })],
      ['method_not_allowed', () => server.client.request('PUT', '/api/v2/jobs')],
      ['uri_too_long', () => server.client.get(`/api/v2/${'x'.repeat(5000)}`)],
      ['invalid_request', () => server.client.fromHash({})],
      ['invalid_workflow', () => server.client.submit({})],
      ['workflow_format_ui', () => server.client.submit({ nodes: [], links: [] })],
      ['metadata_invalid', () => server.client.submit(textGraph(), { metadata: 7 })],
      [
        'missing_asset',
        () => server.client.submit({ '1': { class_type: 'LoadImage', inputs: { image: { __type: 'core/ASSET' } } } }),
      ],
    ];
    if (surface.originGuard)
      asks.push(['forbidden_origin', () => server.client.get('/api/v2/jobs', { origin: 'http://evil.example' })]);
    for (const [code, ask] of asks) {
      const answer = await ask();
      expect(codeOf(answer)).toBe(code);
      const { error } = jsonOf<ErrorBody>(answer);
      expect(error.code).toMatch(/^[a-z_]+$/);
      expect(error.message.length).toBeGreaterThan(10);
      expect(answer.headers['x-request-id']).toBeTypeOf('string');
    }
  });

  it('that carries instants writes them in ISO 8601, UTC, with milliseconds and Z (decisions, Timestamps) [XC02]', async () => {
    const submitted = await server.client.submitted(textGraph(), { key: newKey() });
    const job: Job = await server.client.reached(submitted.id, 'succeeded');
    for (const instant of [job.created_at, job.started_at, job.completed_at, job.expires_at]) {
      expect(instant).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(new Date(instant ?? '').toISOString()).toBe(instant);
    }
  });

  it('of JSON is UTF-8 (Endpoints: bodies are JSON)', async () => {
    const answer = await server.client.jobs();
    expect(answer.headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/);
  });
});
