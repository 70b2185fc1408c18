import { ASSET_EVENTS_TOPIC, newUuid } from '@heddle/contracts-messages';
import type { AssetMessage, JobId } from '@heddle/contracts-messages';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import type { BusMessage, MessageBus } from '@heddle/platform-message-bus';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assetsUnderTest, hashOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { AssetExpirer } from '../expire-assets/asset-expirer.js';
import { FollowJobsHandler } from '../follow-jobs/follow-jobs.handler.js';
import { ModerateHashHandler } from '../moderate-hash/moderate-hash.handler.js';
import { EventRelay } from './event-relay.js';

describe('asset events', () => {
  let database: TestDatabase;
  let bus: MessageBus;
  let heard: BusMessage<AssetMessage>[];
  const alice = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
  });
  beforeEach(async () => {
    await database.owner.query('truncate assets.outbox, assets.lease');
    const memory = new MemoryMessageBus();
    heard = [];
    // The bus keeps order only per key; the overall order is the publishing order.
    bus = {
      publish: async (topic, messages) => {
        expect(topic).toBe(ASSET_EVENTS_TOPIC);
        heard.push(...(messages as BusMessage<AssetMessage>[]));
        await memory.publish(topic, messages);
      },
      subscribe: (topic, group, handle) => memory.subscribe(topic, group, handle),
      close: () => memory.close(),
    };
  });
  afterAll(async () => {
    await database.drop();
  });

  const start = (on: MessageBus = bus): Promise<AssetsUnderTest> =>
    assetsUnderTest(database.database, { relayIntervalMs: 0, relayLeaseMs: 60_000 }, undefined, undefined, { bus: on });
  const waiting = async (): Promise<number> => (await database.owner.query('select from assets.outbox')).rowCount ?? 0;

  it('report every change in the order of the changes, and hold no content of users', async () => {
    const under = await start();
    const bytes = 'reported';
    const { asset } = valueOf(await under.assets.upload(alice, sampleRequest({ bytes, filePath: 'secret-name.png' })));
    const reference = { hash: asset.hash, filePath: 'other-secret.png', tags: ['secret'], expiresIn: 60 };
    const minted = valueOf(await under.assets.mintFromHash(alice, reference)).asset;
    await under.get(ModerateHashHandler).handle(asset.hash, 'block');
    await under.get(ModerateHashHandler).handle(asset.hash, 'unblock');
    valueOf(await under.assets.delete(alice, asset.id));
    await database.advanceClock(61_000);
    await under.get(AssetExpirer).run();
    await database.advanceClock(-61_000);
    expect(heard).toEqual([]);
    await under.get(EventRelay).step();
    expect(heard.map(({ type, payload }) => [type, 'assetId' in payload ? payload.assetId : payload.hash])).toEqual([
      ['AssetUploaded', asset.id],
      ['AssetMinted', minted.id],
      ['HashBlocked', asset.hash],
      ['HashUnblocked', asset.hash],
      ['AssetDeleted', asset.id],
      ['AssetDeleted', minted.id],
    ]);
    expect(heard[0]!.payload).toEqual({
      eventId: heard[0]!.id,
      type: 'AssetUploaded',
      hash: hashOf(bytes),
      recordedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      assetId: asset.id,
      ...alice,
      sizeBytes: bytes.length,
    });
    expect(heard[1]!.payload).toMatchObject({ jobId: null });
    expect(heard.slice(4).map(({ payload }) => 'reason' in payload && payload.reason)).toEqual(['deleted', 'expired']);
    expect(JSON.stringify(heard)).not.toContain('secret');
    expect(await waiting()).toBe(0);
    await under.end();
  });

  it('report outputs, and those that their job never named', async () => {
    const under = await start();
    const jobId = newUuid() as JobId;
    const output = { key: 'k', name: 'o.png', type: 'image' as const, contentType: 'image/png' };
    const body = Readable.from([Buffer.from('out')]);
    const made = await under.worker.commitOutput(under.leases.lend(alice, { jobId }), { ...output, body });
    const ended = { jobId, accountId: alice.accountId, status: 'succeeded', outputAssetIds: [] };
    await under.get(FollowJobsHandler).handle([ended as never]);
    await under.get(EventRelay).step();
    expect(heard.map(({ payload }) => payload)).toMatchObject([
      { type: 'AssetMinted', assetId: made.assetId, jobId },
      { type: 'AssetDeleted', assetId: made.assetId, jobId, reason: 'unnamed' },
    ]);
    await under.end();
  });

  it('are not recorded for refusals, nor if there is no bus', async () => {
    const under = await start();
    await under.assets.upload(alice, sampleRequest({ bytes: 'x', expectedHash: hashOf('y') }));
    expect(await waiting()).toBe(0);
    await under.end();
    const silent = await assetsUnderTest(database.database);
    valueOf(await silent.assets.upload(alice, sampleRequest({ bytes: 'unheard' })));
    expect(await waiting()).toBe(0);
    await silent.end();
  });

  it('wait while the bus is away, and come in order and under their ids when it is back', async () => {
    let away = true;
    const broken: MessageBus = {
      publish: async (topic, messages) => {
        // The worst case: some were accepted, and nobody knows.
        await bus.publish(topic, away ? messages.slice(0, 2) : messages);
        if (away) throw new Error('broker away');
      },
      subscribe: (topic, group, handle) => bus.subscribe(topic, group, handle),
      close: () => bus.close(),
    };
    const under = await start(broken);
    const ids = [];
    for (let turn = 0; turn < 5; turn += 1) {
      ids.push(valueOf(await under.assets.upload(alice, sampleRequest({ bytes: `turn ${turn}` }))).asset.id);
    }
    await expect(under.get(EventRelay).step()).rejects.toThrow('broker away');
    expect(await waiting()).toBe(5);
    away = false;
    await under.get(EventRelay).step();
    expect(await waiting()).toBe(0);
    const once = [...new Map(heard.map((message) => [message.id, message])).values()];
    expect(once.map(({ key }) => key)).toEqual(ids);
    expect(heard).toHaveLength(7);
    await under.end();
  });

  it('are published at once by the service that commits them', async () => {
    const settings = { relayIntervalMs: 3_600_000, relayLeaseMs: 60_000 };
    const under = await assetsUnderTest(database.database, settings, undefined, undefined, { bus });
    // The relay has polled and rests for an hour.
    const leases = async (): Promise<number | null> =>
      (await database.owner.query('select from assets.lease')).rowCount;
    await expect.poll(leases).toBe(1);
    for (const bytes of ['published at once', 'and again']) {
      const { asset } = valueOf(await under.assets.upload(alice, sampleRequest({ bytes })));
      await expect.poll(() => heard.at(-1)?.key).toBe(asset.id);
    }
    await under.end();
  });

  it('are published by one process at a time, and by the next one when its lease is over', async () => {
    const [one, two] = [await start(), await start()];
    valueOf(await one.assets.upload(alice, sampleRequest({ bytes: 'first' })));
    await one.get(EventRelay).step();
    valueOf(await one.assets.upload(alice, sampleRequest({ bytes: 'second' })));
    await two.get(EventRelay).step();
    expect(heard).toHaveLength(1);
    // The first one goes silent: no release, only time.
    await database.advanceClock(60_001);
    await two.get(EventRelay).step();
    await database.advanceClock(-60_001);
    expect(heard).toHaveLength(2);
    await one.end();
    await two.end();
  });

  it('of each record stay in order although many processes write and publish at once', async () => {
    const services = await Promise.all([0, 1, 2].map(() => start()));
    let stop = false;
    const relaying = services.map(async (under) => {
      // Leases change hands all the time: released after each step.
      while (!stop) {
        await under.get(EventRelay).step();
        await database.owner.query(`delete from assets.lease where name = 'relay' and random() < 0.3`);
      }
    });
    const client = async (under: AssetsUnderTest, name: number): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1) {
        const { asset } = valueOf(await under.assets.upload(alice, sampleRequest({ bytes: `${name} ${turn % 3}` })));
        valueOf(await services[(name + 1) % 3]!.assets.delete(alice, asset.id));
      }
    };
    await Promise.all(services.flatMap((under, name) => [client(under, name), client(under, name)]));
    await expect.poll(waiting, { timeout: 30_000 }).toBe(0);
    stop = true;
    await Promise.all(relaying);
    const once = [...new Map(heard.map((message) => [message.id, message])).values()];
    const byRecord = Map.groupBy(once, ({ key }) => key);
    expect(byRecord.size).toBe(120);
    for (const events of byRecord.values()) {
      expect(events.map(({ type }) => type)).toEqual(['AssetUploaded', 'AssetDeleted']);
    }
    await Promise.all(services.map((under) => under.end()));
  });
});
