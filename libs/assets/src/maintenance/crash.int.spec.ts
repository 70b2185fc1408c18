import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ASSET_EVENTS_TOPIC } from '@heddle/contracts-messages';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, hashOf, somebody } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { describeOnEachStore } from '../blob-places.fixture.js';
import type { BlobPlace } from '../blob-places.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { ASSETS_FAILPOINTS } from '../failpoints.js';
import { EventRelay } from '../publish-events/event-relay.js';
import { MaintenanceRound } from './maintenance-round.js';

const child = fileURLToPath(new URL('./crashing-child.fixture.mjs', import.meta.url));
/** The record exists although no answer was sent. */
const COMMITTED = 'assets.upload.committed';

describeOnEachStore('a process that is killed', (open, kind) => {
  let database: TestDatabase;
  let place: BlobPlace;

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
  });
  beforeEach(async () => {
    await database.owner.query('truncate assets.asset, assets.blob, assets.hold, assets.idempotency_key');
    place = await open();
  });
  afterAll(async () => {
    await database.drop();
  });

  /** Runs the child until its failpoint kills it; returns its output. */
  const crash = async (failpoint: string, ...args: string[]): Promise<string> => {
    const plan = failpoint.includes('=') ? failpoint : `${failpoint}=kill@1`;
    const env = { ...process.env, HEDDLE_FAILPOINTS: plan };
    const running = spawn(process.execPath, [child, database.ownerUrl, place.address, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<NodeJS.Signals | null>((resolve) => running.once('exit', (_, signal) => resolve(signal)));
    const printed = await text(running.stdout);
    expect(await ended, `${failpoint} was hit and killed`).toBe('SIGKILL');
    return printed;
  };
  const restart = async (): Promise<AssetsUnderTest> => {
    const under = await assetsUnderTest(database.database, { soleProcess: true, blobGraceMs: 0 }, undefined, () =>
      Promise.resolve(place),
    );
    await under.get(MaintenanceRound).run();
    return under;
  };
  const objectsAndBlobs = async (under: AssetsUnderTest): Promise<[string[], string[]]> => {
    const { rows } = await under.pool.query<{ object_key: string }>('select object_key from assets.blob');
    return [(await under.files()).sort(), rows.map((row) => row.object_key).sort()];
  };

  const uploadPoints = ASSETS_FAILPOINTS.filter((name) => name.startsWith('assets.upload.'));
  it.each(uploadPoints)('at %s leaves nothing that a restart does not put right', async (failpoint) => {
    const alice = somebody();
    const bytes = `bytes at ${failpoint}`;
    expect(await crash(failpoint, alice.accountId, bytes)).toBe('');
    const under = await restart();
    try {
      const [objects, blobs] = await objectsAndBlobs(under);
      expect(objects).toEqual(blobs);
      expect(objects).toHaveLength(failpoint === COMMITTED ? 1 : 0);
      const { rows } = await under.pool.query('select from assets.upload');
      expect(rows).toEqual([]);
      // The key is claimed exactly if the upload was committed.
      expect(await under.assets.canMint(alice, hashOf(bytes))).toBe(failpoint === COMMITTED);
      const again = await under.assets.upload(alice, sampleRequest({ bytes, idempotencyKey: 'crash' }));
      expect(codeOf(again)).toBe(failpoint === COMMITTED ? 'idempotency_key_reuse' : 'accepted');
    } finally {
      await under.end();
    }
  });

  // What the following points leave behind is only in the database: they need no second store.
  const upkeepPoints = kind === 'folder' ? ASSETS_FAILPOINTS : [];
  const collectPoints = upkeepPoints.filter((name) => name.startsWith('assets.collect.'));
  it.each(collectPoints)('at %s has its collection finished by the next one', async (failpoint) => {
    const printed = await crash(failpoint, somebody().accountId, `bytes at ${failpoint}`, 'delete');
    expect(JSON.parse(printed)).toMatchObject({ ok: true });
    const under = await restart();
    try {
      expect(await objectsAndBlobs(under)).toEqual([[], []]);
      const { rows } = await under.pool.query('select from assets.delete_task');
      expect(rows).toEqual([]);
    } finally {
      await under.end();
    }
  });

  it('in the middle of a large body leaves an unfinished object, which the next start removes', async () => {
    await crash('assets.upload.mid-stream=kill@200', somebody().accountId, '14000000');
    expect(await place.files()).toHaveLength(1);
    const under = await restart();
    try {
      expect(await objectsAndBlobs(under)).toEqual([[], []]);
    } finally {
      await under.end();
    }
  });

  const eventPoints = upkeepPoints.filter((name) => name.startsWith('assets.events.'));
  it.each(eventPoints)('at %s publishes its events again, under the same ids', async (failpoint) => {
    await database.owner.query('truncate assets.outbox, assets.lease');
    const [published] = (await crash(failpoint, somebody().accountId, 'published twice', 'publish')).trim().split('\n');
    const bus = new MemoryMessageBus();
    const heard: string[] = [];
    await bus.subscribe(ASSET_EVENTS_TOPIC, 'parent', async (batch) => {
      heard.push(...batch.map((message) => message.id));
    });
    const settings = { relayIntervalMs: 0, relayLeaseMs: 60_000 };
    const under = await assetsUnderTest(database.database, settings, undefined, () => Promise.resolve(place), { bus });
    await database.advanceClock(60_000);
    await under.get(EventRelay).step();
    await database.advanceClock(-60_000);
    expect(heard).toEqual(JSON.parse(published!));
    expect((await under.pool.query('select from assets.outbox')).rowCount).toBe(0);
    await under.end();
    await bus.close();
  });
});
