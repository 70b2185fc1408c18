import { builtinObjectInfo } from '@heddle/engine-builtin';
import { ScriptedEngine } from '@heddle/engine-comfyui-server/scripted';
import { codeOf, eventually, HeddleClient, pictureGraph, textGraph } from '@heddle/testing-api';
import { lastingPort } from '@heddle/platform-database';
import { startStandalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNodeErrors } from '../api/expectations.js';
import { engineReportedAway, readiness, useScriptedProxy } from './proxy.js';

/** Time-out of a test with several waits */
const TEST_TIMEOUT_MS = 120_000;

describe('an engine that goes away', () => {
  const proxy = useScriptedProxy();

  it(
    'is reported by /readyz, which stays ready: submissions are still accepted',
    async () => {
      expect(await readiness(proxy.process)).toMatchObject({ status: 200, ready: true, degraded: [] });
      await proxy.engine.goDown();
      const told = await engineReportedAway(proxy.process, true);
      expect(told).toMatchObject({ status: 200, ready: true });
      expect(told.degraded!.map(({ name }) => name)).toEqual(['engine']);
    },
    TEST_TIMEOUT_MS,
  );

  it('is not needed to accept, refuse, show, list and cancel: what waits is queued, and never expired', async () => {
    const jobs = [await proxy.client.submitted(pictureGraph()), await proxy.client.submitted(textGraph())];
    const dropped = await proxy.client.submitted(pictureGraph());
    expectNodeErrors(await proxy.client.submit({ '1': { class_type: 'Nope', inputs: {} } }));
    await eventually('the job that has a worker saying what it waits for', async () => {
      const { progress } = await proxy.client.jobNow(jobs[0]!.id);
      return progress?.message === 'waiting for the engine: it does not answer';
    });
    expect((await proxy.client.cancel(dropped.id)).status).toBe(200);
    expect((await proxy.client.jobNow(dropped.id)).status).toBe('canceled');
    const { jobs: listed } = await proxy.client.jobPage('?status=queued,running');
    expect(listed.map(({ id }) => id).sort()).toEqual(jobs.map(({ id }) => id).sort());
  });

  it(
    'is not needed by a restart either: the last catalogue is kept',
    async () => {
      await proxy.restart();
      expect(await readiness(proxy.process)).toMatchObject({ status: 200, ready: true });
      expectNodeErrors(await proxy.client.submit({ '1': { class_type: 'Nope', inputs: {} } }));
      expect((await proxy.client.submitted(pictureGraph())).status).toBe('queued');
      await engineReportedAway(proxy.process, true);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'runs what waited when it is back, at the first attempt, and /readyz says nothing any more',
    async () => {
      await proxy.engine.comeUp();
      await engineReportedAway(proxy.process, false);
      const ended = await eventually(
        'every job having ended',
        async () => {
          const { jobs } = await proxy.client.jobPage('?limit=100');
          return jobs.every(({ completed_at }) => completed_at !== null) ? jobs : null;
        },
        40_000,
      );
      expect(ended.map(({ status }) => status).sort()).toEqual(['canceled', 'succeeded', 'succeeded', 'succeeded']);
      expect(proxy.engine.prompts).toHaveLength(3);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'may come back with other nodes: the catalogue follows without a restart of Heddle',
    async () => {
      const catalogue = JSON.parse(builtinObjectInfo()) as Record<string, unknown>;
      const { ImageInvert, ...rest } = catalogue;
      proxy.engine.setObjectInfo(JSON.stringify({ ...rest, NewNode: catalogue['PreviewAny'] }));
      await proxy.engine.restart(50);
      const graph = { ...textGraph(), '3': { class_type: 'NewNode', inputs: { source: ['1', 0] } } };
      const job = await eventually(
        'the new class being known',
        async () => {
          const answer = await proxy.client.submit(graph);
          return answer.status === 201 ? (JSON.parse(answer.bytes.toString()) as { id: string }) : null;
        },
        30_000,
      );
      await proxy.client.reached(job.id, 'succeeded');
      const gone = { ...textGraph(), '3': { class_type: 'ImageInvert', inputs: {} } };
      expect(ImageInvert).toBeDefined();
      expect(expectNodeErrors(await proxy.client.submit(gone))['3']).toEqual([
        { field: 'class_type', reason: 'unknown_node_class' },
      ]);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'may answer with a description that makes no sense: the last one stays',
    async () => {
      proxy.engine.setObjectInfo('{"PreviewAny": 5');
      const asked = (): number => proxy.engine.requests.filter(({ path }) => path.endsWith('/object_info')).length;
      const before = asked();
      await proxy.engine.restart(50);
      // A second request shows that Heddle has read the first answer.
      await eventually('Heddle having read it', () => asked() >= before + 2);
      expect((await proxy.client.submit(textGraph())).status).toBe(201);
    },
    TEST_TIMEOUT_MS,
  );
});

describe('an engine that is not there when Heddle starts for the first time', () => {
  let port: number;
  let heddle: Awaited<ReturnType<typeof startStandalone>>;
  let client: HeddleClient;
  beforeAll(async () => {
    port = await lastingPort();
    heddle = await startStandalone({ env: { HEDDLE_ENGINE: `http://127.0.0.1:${port}` } });
    client = await HeddleClient.connect(heddle.url);
  });
  afterAll(() => heddle?.stop());

  it('keeps it from being ready, in words, and a submission from being judged; the rest is served', async () => {
    const told = await readiness(heddle);
    expect(told).toMatchObject({ status: 503, ready: false });
    expect(JSON.stringify(told)).toContain('not known yet');
    const answer = await client.submit(textGraph(), { key: 'a-key-that-is-given-back' });
    expect([answer.status, codeOf(answer)]).toEqual([500, 'upstream_error']);
    expect((await client.uploaded()).id).toBeTruthy();
    expect((await client.jobPage()).jobs).toEqual([]);
  });

  it(
    'is found when it starts: Heddle becomes ready and runs jobs',
    async () => {
      const engine = await ScriptedEngine.start({ objectInfo: builtinObjectInfo(), port });
      try {
        await eventually('being ready', async () => (await readiness(heddle)).ready);
        const { id } = await client.submitted(pictureGraph());
        await client.reached(id, 'succeeded');
      } finally {
        await engine.close();
      }
    },
    TEST_TIMEOUT_MS,
  );
});
