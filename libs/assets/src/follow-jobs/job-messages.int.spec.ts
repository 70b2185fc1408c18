import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { JOB_EVENTS_TOPIC, newUuid } from '@heddle/contracts-messages';
import type { AssetId, JobId, JobMessage } from '@heddle/contracts-messages';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import { MessageBusStrategy } from '@heddle/platform-message-bus/nest-transport';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { jobsServiceFake } from '@heddle/testing-jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { AssetsModule } from '../assets.module.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';

describe('the job messages on the bus', () => {
  let database: TestDatabase;
  let under: AssetsUnderTest;
  const bus = new MemoryMessageBus();
  const alice = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
    under = await assetsUnderTest(database.database);
  });
  afterAll(async () => {
    await bus.close();
    await under.end();
    await database.drop();
  });

  it('confirm holds and release them, also when they come twice', async () => {
    const module = AssetsModule.register({
      database: database.database,
      store: under.store,
      imports: [jobsServiceFake()],
      settings: { sweepIntervalMs: 0 },
    });
    const strategy = new MessageBusStrategy(bus, 'assets');
    const app = await NestFactory.createMicroservice(module, { strategy, logger: false });
    await app.listen();
    const { asset } = valueOf(await under.assets.upload(alice, sampleRequest({ bytes: 'input' })));
    const jobId = newUuid() as JobId;
    valueOf(await under.assets.hold(alice, jobId, { ids: [asset.id as AssetId], names: [] }));
    let seq = 0;
    const message = (type: string, more: Partial<JobMessage>): Parameters<typeof bus.publish>[1][number] => ({
      id: newUuid(),
      key: jobId,
      type,
      headers: { seq: String(++seq) },
      payload: {
        eventId: newUuid(),
        jobId,
        ...alice,
        version: 1,
        type,
        fence: 0,
        recordedAt: '',
        status: 'queued',
        ...more,
      },
    });
    const submitted = message('JobSubmitted', { inputAssetIds: [asset.id] });
    await bus.publish(JOB_EVENTS_TOPIC, [submitted, submitted]);
    await under.assets.releaseHolds(jobId);
    expect(codeOf(await under.assets.delete(alice, asset.id))).toBe('asset_in_use');
    const ended = message('JobSucceeded', { status: 'succeeded' });
    await bus.publish(JOB_EVENTS_TOPIC, [submitted, ended, ended]);
    expect(codeOf(await under.assets.delete(alice, asset.id))).toBe('accepted');
    await app.close();
  });
});
