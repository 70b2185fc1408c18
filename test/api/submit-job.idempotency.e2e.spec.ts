import { codeOf, pictureGraph, textGraph } from '@heddle/testing-api';
import type { JobPage } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from './expectations.js';
import { newKey, useServer, waiting } from './server.js';

describe('POST /api/v2/jobs with an Idempotency-Key', () => {
  const server = useServer(waiting);
  const byKey = async (key: string): Promise<JobPage> =>
    server.client.jobPage(`?idempotency_key=${encodeURIComponent(key)}`);

  it('processes the first request with a key (Idempotency rules 2) [ID01]', async () => {
    const answer = await server.client.submit(textGraph(), { key: newKey() });
    expect(answer.status).toBe(201);
    expect(answer.headers['idempotency-replayed']).toBeUndefined();
  });

  it('answers 422 idempotency_key_reuse to a key that was claimed (Idempotency rules 2) [ID02]', async () => {
    const key = newKey();
    const graph = textGraph();
    const job = await server.client.submitted(graph, { key });
    const again = await server.client.submit(graph, { key });
    expectRefusal(again, 422, 'idempotency_key_reuse');
    expect(again.headers['idempotency-replayed']).toBeUndefined();
    expect((await byKey(key)).jobs.map((found) => found.id)).toEqual([job.id]);
  });

  it('refuses another body, other credentials and other labels with a claimed key alike [ID03] [ID04]', async () => {
    const key = newKey();
    const graph = textGraph();
    await server.client.submitted(graph, { key });
    const answers = [
      await server.client.submit(pictureGraph(), { key }),
      await server.client.submit(graph, { key, extraData: { api_key_partner_org: 'other' } }),
      await server.client.submit(graph, { key, metadata: { other: 'label' } }),
    ];
    expect(answers.map(codeOf)).toEqual(answers.map(() => 'idempotency_key_reuse'));
  });

  it.each<[string, string]>([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['a bad graph', '{"workflow":{}}'],
    ['the UI format', '{"workflow":{"nodes":[],"links":[]}}'],
    ['a reserved field', '{"workflow":{},"webhook_url":"x"}'],
    ['bad labels', '{"workflow":{},"metadata":{"":""}}'],
    [
      'a missing asset',
      '{"workflow":{"1":{"class_type":"LoadImage","inputs":{"image":{"__type":"core/ASSET","info":{"id":"x"}}}}}}',
    ],
  ])('tells of the claimed key first where the body has %s (decisions, Refusals with a used key)', async (_, body) => {
    const key = newKey();
    await server.client.submitted(textGraph(), { key });
    expectRefusal(await server.client.submitRaw(body, { key }), 422, 'idempotency_key_reuse');
  });

  it('releases the key of a refused submission at once (Idempotency rules 3) [ID06]', async () => {
    const key = newKey();
    for (let round = 0; round < 3; round += 1) {
      expectRefusal(
        await server.client.submit({ '1': { class_type: 'Nope', inputs: {} } }, { key }),
        422,
        'invalid_workflow',
      );
    }
    await server.client.submitted(textGraph(), { key });
  });

  it('takes any key of 1 to 255 visible ASCII characters, and distinguishes them by case (decisions, Idempotency-Key)', async () => {
    for (const key of [
      `a${newKey()}`,
      `A${newKey()}`,
      newKey().padEnd(255, '~'),
      `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~${newKey()}`,
    ]) {
      await server.client.submitted(textGraph(), { key });
      expect((await byKey(key)).jobs).toHaveLength(1);
    }
    const key = newKey();
    await server.client.submitted(textGraph(), { key });
    await server.client.submitted(textGraph(), { key: key.toUpperCase() });
  });

  it('finds the job of a key, for the client that does not know the outcome (Idempotency rules 4; decisions, List) [ID08]', async () => {
    const key = newKey();
    expect((await byKey(key)).jobs).toEqual([]);
    const job = await server.client.submitted(textGraph(), { key });
    expect((await byKey(key)).jobs.map((found) => found.id)).toEqual([job.id]);
  });

  it('lets exactly one of 64 parallel submissions with one key through, mixed bodies (Idempotency rules 2) [ID05]', async () => {
    for (let round = 0; round < 3; round += 1) {
      const key = newKey();
      const graph = textGraph();
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, i) => server.client.submit(i % 2 === 0 ? graph : textGraph(), { key })),
      );
      expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
      expect(answers.filter((answer) => codeOf(answer) === 'idempotency_key_reuse')).toHaveLength(63);
      expect((await byKey(key)).jobs).toHaveLength(1);
    }
  });

  it('makes one job of a failing and a good request that race for one key [ID09]', async () => {
    for (let round = 0; round < 20; round += 1) {
      const key = newKey();
      const bad = () => server.client.submit({ '1': { class_type: 'Nope', inputs: {} } }, { key });
      const good = () => server.client.submit(textGraph(), { key });
      const answers = await Promise.all([bad(), good(), bad(), good(), bad()]);
      const accepted = answers.filter((answer) => answer.status === 201);
      expect(accepted).toHaveLength(1);
      for (const answer of answers) expect(answer.status === 201 || answer.status === 422).toBe(true);
      expect((await byKey(key)).jobs).toHaveLength(1);
    }
  });
});
