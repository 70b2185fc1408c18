import { codeOf, expectStatus, sleepingGraph, textGraph } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from './expectations.js';
import { newKey, ownServer, useServer } from './server.js';

const BOUND = 10;

describe.runIf(ownServer)('a queue at its bound', () => {
  const server = useServer({ HEDDLE_WORKERS: '0', HEDDLE_QUEUE_DEPTH_ACCOUNT: String(BOUND) });
  const drain = async (): Promise<void> => {
    const { jobs } = await server.client.jobPage('?status=queued&limit=100');
    await Promise.all(jobs.map((job) => server.client.cancel(job.id)));
  };

  it('numbers waiting jobs in the order in which they will run (decisions, queue_position)', async () => {
    await drain();
    const first = await server.client.submitted(textGraph());
    const second = await server.client.submitted(textGraph());
    expect([first.queue_position, second.queue_position]).toEqual([1, 2]);
  });

  it('answers 429 queue_full with Retry-After, makes no job and frees the key (Errors, queue_full) [JS23] [ID07]', async () => {
    await drain();
    for (let i = 0; i < BOUND; i += 1) await server.client.submitted(textGraph());
    const key = newKey();
    const refused = await server.client.submit(textGraph(), { key });
    expectRefusal(refused, 429, 'queue_full');
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect((await server.client.jobPage('?status=queued&limit=100')).jobs).toHaveLength(BOUND);
    expect((await server.client.jobPage(`?idempotency_key=${key}`)).jobs).toEqual([]);
    await drain();
    await server.client.submitted(textGraph(), { key });
  });

  it('says what is wrong with a graph before it says that the queue is full (decisions, Order of checks)', async () => {
    await drain();
    for (let i = 0; i < BOUND; i += 1) await server.client.submitted(textGraph());
    expectRefusal(await server.client.submit({}), 422, 'invalid_workflow');
  });

  it('is never overshot by 200 parallel submissions, and no refusal leaves a trace (Limits, Job queue) [JS25]', async () => {
    await drain();
    await server.client.submitted(textGraph());
    const keys = Array.from({ length: 200 }, () => newKey());
    const answers = await Promise.all(keys.map((key) => server.client.submit(textGraph(), { key })));
    const accepted = answers.filter((answer) => answer.status === 201);
    expect(accepted).toHaveLength(BOUND - 1);
    expect(answers.filter((answer) => codeOf(answer) === 'queue_full')).toHaveLength(200 - BOUND + 1);
    expect((await server.client.jobPage('?status=queued&limit=100')).jobs).toHaveLength(BOUND);
    await drain();
    const refusedKey = keys[answers.findIndex((answer) => answer.status === 429)] ?? '';
    expectStatus(await server.client.submit(textGraph(), { key: refusedKey }), 201);
  });

  it('never answers 402 on the self-hosted surface (Surfaces: credits) [JS22]', async () => {
    await drain();
    const answers = await Promise.all(Array.from({ length: 30 }, () => server.client.submit(textGraph())));
    expect(answers.map((answer) => answer.status)).not.toContain(402);
  });
});

describe.runIf(ownServer)('the queue of a deployment', () => {
  const server = useServer({ HEDDLE_WORKERS: '1', HEDDLE_QUEUE_DEPTH: '3' });

  it('counts waiting jobs, not the running one (decisions, Queue depth)', async () => {
    const running = await server.client.submitted(sleepingGraph(60));
    await server.client.reached(running.id, 'running');
    for (let i = 0; i < 3; i += 1) await server.client.submitted(textGraph());
    expectRefusal(await server.client.submit(textGraph()), 429, 'queue_full');
    await server.client.cancel(running.id);
  });
});
