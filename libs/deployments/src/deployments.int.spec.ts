import { setTimeout as delay } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  DEPLOYMENT_DIRECTORY,
  DEPLOYMENT_FEED,
  DEPLOYMENTS_PORT,
  MANAGED_DEPLOYMENT_ID,
  WORKER_POOLS_PORT,
} from '@heddle/contracts-messages';
import type { DeploymentDirectory, DeploymentFeed, DeploymentsPort, DeploymentView } from '@heddle/contracts-messages';
import { decodeDeploymentEvent, fold } from '@heddle/deployments-domain';
import { readStream } from '@heddle/platform-event-log';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPLOYMENTS_MIGRATIONS, DEPLOYMENTS_ROLE } from './deployments-schema/deployments-migrations.js';
import { DeploymentsModule } from './deployments.module.js';
import type { DeploymentsModuleOptions } from './deployments.module.js';
import { MemoryDirectory } from './follow-directory/memory-directory.js';
import { BUILTIN, FAST, eventually, named, viewOf } from './deployments-under-test.fixture.js';
import { StatedPools } from './stated-pools.fake.js';
import { DeploymentWatch } from './watch-workers/deployment-watch.js';

describe('dedicated deployments', () => {
  let database: TestDatabase;
  const metrics = new MetricsRegistry();
  const pools = new StatedPools();
  const replicas: { close(): Promise<void> }[] = [];
  let deployments: DeploymentsPort;
  let directory: DeploymentDirectory;
  let feed: DeploymentFeed;
  let watch: DeploymentWatch;

  async function open(options: Partial<DeploymentsModuleOptions> = {}, own = pools) {
    @Module({ providers: [{ provide: WORKER_POOLS_PORT, useValue: own }], exports: [WORKER_POOLS_PORT] })
    class PoolsModule {}
    const module = DeploymentsModule.register({
      database,
      settings: FAST,
      metrics: new MetricsRegistry(),
      imports: [PoolsModule],
      ...options,
    });
    const context = await NestFactory.createApplicationContext(module, { logger: false });
    replicas.push(context);
    return context;
  }

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [DEPLOYMENTS_MIGRATIONS], poolSizes: { [DEPLOYMENTS_ROLE]: 8 } });
    const context = await open({ metrics, settings: { ...FAST, sharedPool: MANAGED_DEPLOYMENT_ID } });
    deployments = context.get<DeploymentsPort>(DEPLOYMENTS_PORT);
    viewOf(await deployments.create(named('kept', { options: { slots: 3, publicDemo: true } })));
    directory = context.get<DeploymentDirectory>(DEPLOYMENT_DIRECTORY);
    feed = context.get<DeploymentFeed>(DEPLOYMENT_FEED);
    watch = context.get(DeploymentWatch);
  });

  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await database.drop();
  });

  const shown = async (label: string): Promise<DeploymentView> =>
    viewOf(await deployments.show({ label, stage: 'production' }));
  const until = (label: string, status: string) =>
    eventually(
      () => shown(label),
      (view) => view.status === status,
    );

  it('live from their creation to their deletion as their workers and jobs say, and each step is in the log', async () => {
    const name = { label: 'alpha', stage: 'production' } as const;
    const { deploymentId, createdAt } = viewOf(await deployments.create(named('alpha')));
    expect(await until('alpha', 'starting')).toMatchObject({ provider: 'external', revision: 1, coldStartS: null });

    pools.workers = [{ deploymentId, revision: 1, workers: 2 }];
    pools.jobs = [{ deploymentId, revision: 1, waiting: 3, running: 1 }];
    const ready = await until('alpha', 'ready');
    expect(ready).toMatchObject({ workers: 2, waiting: 3, running: 1, createdAt });
    expect(ready.coldStartS).toBeGreaterThan(0);
    expect(directory.find('alpha', 'production')).toMatchObject({ deploymentId, status: 'ready', revision: 1 });
    expect(directory.find('alpha', 'staging')).toBeNull();
    expect(await metrics.metrics()).toContain('heddle_deployment_waiting{deployment="alpha"} 3');

    viewOf(await deployments.pause(name));
    expect(await shown('alpha')).toMatchObject({ status: 'unavailable', reason: 'paused by the operator' });
    await eventually(
      () => Promise.resolve(pools.paused),
      (paused) => paused.includes(deploymentId),
    );
    expect(viewOf(await deployments.resume(name)).status).toBe('ready');
    await eventually(
      () => Promise.resolve(pools.paused),
      (paused) => paused.length === 0,
    );

    pools.workers = [];
    expect((await until('alpha', 'unavailable')).reason).toBe('no worker has polled for 0.3 s');
    pools.workers = [{ deploymentId, revision: 1, workers: 1 }];
    await until('alpha', 'ready');

    expect(await deployments.delete(name)).toMatchObject({ refusal: { kind: 'state' } });
    viewOf(await deployments.drain(name));
    // The proof that it does not stop while it has jobs.
    await delay(150);
    expect((await shown('alpha')).status).toBe('draining');
    pools.jobs = [];
    await until('alpha', 'stopped');

    viewOf(await deployments.start(name));
    await until('alpha', 'ready');
    viewOf(await deployments.drain(name));
    await until('alpha', 'stopped');
    pools.jobs = [{ deploymentId, revision: 1, waiting: 1, running: 0 }];
    expect(await deployments.delete(name)).toMatchObject({ refusal: { kind: 'state' } });
    pools.jobs = [];
    expect(viewOf(await deployments.delete(name)).status).toBe('deleted');
    expect(await deployments.show(name)).toMatchObject({ refusal: { kind: 'unknown' } });
    expect(await deployments.create(named('alpha'))).toMatchObject({ refusal: { kind: 'exists' } });
    expect(directory.find('alpha', 'production')).toBeNull();
    expect(await deployments.idOf(name)).toBeNull();

    const pool = database.pool(DEPLOYMENTS_ROLE);
    const events = await readStream(pool, 'deployments', deploymentId);
    expect(events.map(({ type }) => type)).toEqual([
      ...['DeploymentCreated', 'DeploymentStarting', 'DeploymentReady', 'DeploymentPaused', 'DeploymentResumed'],
      ...['DeploymentReady', 'DeploymentUnavailable', 'DeploymentReady', 'DrainRequested', 'DeploymentStopped'],
      ...['StartRequested', 'DeploymentStarting', 'DeploymentReady', 'DrainRequested', 'DeploymentStopped'],
      'DeploymentDeleted',
    ]);
    const folded = fold(
      events.map(({ type, schemaVersion, data, recordedAt }) => ({
        event: decodeDeploymentEvent(type, schemaVersion, data!.toString()),
        recordedAt,
      })),
    );
    const { rows } = await pool.query<{ state: unknown }>(
      'select state from deployments.deployment where deployment_id = $1',
      [deploymentId],
    );
    expect(rows[0]!.state).toEqual(folded);
  });

  it('are named in metrics as their hosts begin, beside the shared pool', async () => {
    const { deploymentId } = viewOf(await deployments.create(named('scaled', { stage: 'staging' })));
    const [staging, shared] = [deploymentId, MANAGED_DEPLOYMENT_ID];
    pools.workers = [
      { deploymentId: staging, revision: 1, workers: 1 },
      { deploymentId: shared, revision: 0, workers: 4 },
    ];
    pools.jobs = [
      { deploymentId: staging, revision: 1, waiting: 7, running: 2 },
      { deploymentId: shared, revision: 0, waiting: 9, running: 5 },
    ];
    pools.waiting = new Map([[shared, 3]]);
    const expected = [
      'heddle_lease_waiting_workers{deployment="managed"} 3',
      'heddle_lease_waiting_workers{deployment="scaled.stg"} 0',
      'heddle_deployment_waiting{deployment="managed"} 9',
      'heddle_deployment_leased{deployment="managed"} 5',
      'heddle_deployment_workers{deployment="managed"} 4',
      'heddle_deployment_waiting{deployment="scaled.stg"} 7',
      'heddle_deployment_leased{deployment="scaled.stg"} 2',
      'heddle_deployment_workers{deployment="scaled.stg"} 1',
      'heddle_deployment_status{deployment="scaled.stg",status="ready"} 1',
    ];
    const lines = await eventually(
      async () => (await metrics.metrics()).split('\n'),
      (found) => expected.every((line) => found.includes(line)),
    );
    expect(lines.filter((line) => line.includes('{deployment="managed",'))).toEqual([]);
    pools.workers = [];
    pools.jobs = [];
  });

  it('count a cold start by name unless another replica had a worker of the pool meanwhile', async () => {
    const [cold, warm] = await Promise.all(
      ['cold', 'warm'].map(async (label) => viewOf(await deployments.create(named(label))).deploymentId),
    );
    const elsewhere = new StatedPools();
    elsewhere.workers = [{ deploymentId: warm!, revision: 1, workers: 1 }];
    await open({}, elsewhere);
    await expect.poll(() => watch.silentElsewhereMs({ deploymentId: warm!, revision: 1 })).toBe(0);
    for (const deploymentId of [cold!, warm!]) pools.leaseLate({ deploymentId, revision: 1, waitedMs: 12_000 });
    // Not known here, so without a name.
    pools.leaseLate({ deploymentId: MANAGED_DEPLOYMENT_ID.replace(/^./, 'f') as never, revision: 1, waitedMs: 1 });
    const counts = (await metrics.metrics())
      .split('\n')
      .filter((line) => /^heddle_job_cold_start_seconds_(count|sum)/.test(line));
    expect(counts).toEqual([
      'heddle_job_cold_start_seconds_sum{deployment="cold"} 12',
      'heddle_job_cold_start_seconds_count{deployment="cold"} 1',
    ]);
    // Its jobs are not those of the other tests.
    await replicas.pop()!.close();
  });

  it('are followed by every other directory, which loads all of them and then what changed', async () => {
    const other = new MemoryDirectory();
    const all = await feed.changes(null, 0);
    other.apply(all);
    expect(other.find('kept', 'production')).toMatchObject({ publicDemo: true });
    const { deploymentId } = viewOf(await deployments.create(named('later')));
    const later = await feed.changes(all.next, 0);
    other.apply(later);
    expect(other.byId(deploymentId)).toMatchObject({ label: 'later' });
    // An older entry that comes late changes nothing.
    await until('later', 'starting');
    other.apply(await feed.changes(later.next, 0));
    other.apply(later);
    expect(other.byId(deploymentId)?.status).toBe('starting');
  });

  it('see the workers of other replicas, and lose those of one that is gone', async () => {
    const { deploymentId } = viewOf(await deployments.create(named('shared')));
    const elsewhere = new StatedPools();
    elsewhere.workers = [{ deploymentId, revision: 1, workers: 1 }];
    const replica = await open({}, elsewhere);
    expect((await until('shared', 'ready')).workers).toBe(1);
    await replica.close();
    await until('shared', 'unavailable');
  });

  it('take a new revision once its worker polls, and keep the older one for its jobs', async () => {
    const name = { label: 'blue', stage: 'production' } as const;
    const { deploymentId } = viewOf(await deployments.create(named('blue')));
    pools.workers = [{ deploymentId, revision: 1, workers: 1 }];
    await until('blue', 'ready');
    const catalogue = Buffer.from('{"KSampler":{"output":["LATENT"]}}');
    const pinning = viewOf(await deployments.repin(name, { ...BUILTIN, engineVersion: '2', catalogue }));
    expect(pinning).toMatchObject({ status: 'ready', revision: 1, nextRevision: 2 });
    pools.workers.push({ deploymentId, revision: 2, workers: 1 });
    const green = await eventually(
      () => shown('blue'),
      ({ revision }) => revision === 2,
    );
    expect(green).toMatchObject({ status: 'ready', nextRevision: null, environment: { engineVersion: '2' } });
    expect(green.environment.catalogueHash).toMatch(/^blake3:[0-9a-f]{64}$/);
  });

  it('keep an older revision, and do not stop, for a job that arrives with the last look', async () => {
    const name = { label: 'late', stage: 'production' } as const;
    const { deploymentId } = viewOf(await deployments.create(named('late')));
    const job = (revision: number) => ({ deploymentId, revision, waiting: 1, running: 0 });
    const arrives = (revision: number): void => {
      pools.beforeIntakes = (intakes) => {
        if (!intakes.some((one) => one.deploymentId === deploymentId && !one.revisions.includes(revision))) return;
        pools.beforeIntakes = () => undefined;
        pools.jobs = [job(revision)];
      };
    };
    const arrived = (): Promise<unknown> =>
      eventually(
        () => Promise.resolve(pools.jobs.length),
        (count) => count === 1,
      );
    const intake = (): Promise<readonly number[]> => Promise.resolve(pools.intakes.get(deploymentId)!.revisions);
    pools.workers = [1, 2].map((revision) => ({ deploymentId, revision, workers: 1 }));
    await until('late', 'ready');
    arrives(1);
    viewOf(await deployments.repin(name, { ...BUILTIN, engineVersion: '2' }));
    await arrived();
    // Several looks go by: the older revision stays.
    await delay(150);
    const events = async (): Promise<readonly string[]> =>
      (await readStream(database.pool(DEPLOYMENTS_ROLE), 'deployments', deploymentId)).map(({ type }) => type);
    expect(await events()).not.toContain('RevisionRetired');
    expect(await intake()).toEqual([2]);
    pools.jobs = [];
    await eventually(events, (types) => types.includes('RevisionRetired'));

    arrives(2);
    viewOf(await deployments.drain(name));
    await arrived();
    await delay(150);
    expect((await shown('late')).status).toBe('draining');
    expect(await intake()).toEqual([]);
    // A start opens what the drain has closed.
    viewOf(await deployments.start(name));
    await eventually(intake, (revisions) => revisions.includes(2));
    pools.jobs = [];
    pools.workers = [];
  });

  it('make the one that a dedicated service without hosts serves, once, and never delete it', async () => {
    for (const slots of [2, 5]) {
      const context = await open({ settings: { ...FAST, everyHost: { slots } } });
      const port = context.get<DeploymentsPort>(DEPLOYMENTS_PORT);
      const name = { label: 'default', stage: 'production' } as const;
      expect(viewOf(await port.show(name))).toMatchObject({ slots: 2, accountId: null });
      const message = expect.stringContaining('serves every host of this service and cannot be deleted') as string;
      expect(await port.delete(name)).toMatchObject({ refusal: { kind: 'state', message } });
    }
  });

  it('cost a directory less than 4 KiB each', () => {
    const large = new MemoryDirectory();
    const count = 5_000;
    const entry = directory.find('kept', 'production')!;
    const before = (globalThis.gc?.(), process.memoryUsage().heapUsed);
    for (let n = 0; n < count; n++) {
      const text = JSON.stringify({ ...entry, deploymentId: `d${n}`, label: `label-${n}` });
      large.apply({ entries: [JSON.parse(text) as typeof entry] });
    }
    globalThis.gc?.();
    expect((process.memoryUsage().heapUsed - before) / count).toBeLessThan(4_096);
    expect(large.find(`label-${count - 1}`, 'production')).not.toBeNull();
  });
});
