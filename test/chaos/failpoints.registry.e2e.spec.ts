import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { registeredFailpoints } from '@heddle/platform-database';
import { verifyLog } from '@heddle/platform-event-log';
import { REGISTRY_FAILPOINTS } from '@heddle/registry';
import { eventually, expectStatus } from '@heddle/testing-api';
import { newId, nodePackage, registryDifferences, RegistryClient, RegistryPublisher } from '@heddle/testing-registry';
import { NotStarted, startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedDatabaseUrl, moveClock, withDatabase } from '../api/database.js';
import { adminOf } from '../security/keyed-heddle.js';
import { within } from './heddle-under-fire.ts';
import { StoryOfVersion } from './story-of-version.ts';

const KILLED_WITHIN_MS = 45_000;
/** Older than the uploads that a sweep leaves alone. */
const LATER_MS = 61 * 60_000;

type Point = (typeof REGISTRY_FAILPOINTS)[number];

/** The commits of the story: publish, upload, inspection, review, request, review. */
const KILLS: readonly (readonly [point: Point, passage: number])[] = [
  ...([1, 3] as const).map((passage) => ['registry.change.before-commit', passage] as const),
  ...([1, 2, 3, 4, 5] as const).map((passage) => ['registry.change.after-commit', passage] as const),
  ['registry.upload.received', 1],
  ['registry.upload.judged', 1],
  ['registry.upload.stored', 1],
  ['registry.inspection.read', 1],
  ['registry.inspection.ended', 1],
  ['registry.review.decided', 2],
];
const EVENTS =
  /^(VersionPublished ){1,2}VersionUploaded VersionScanned VersionExtracted VersionReviewed ReviewRequested VersionReviewed$/;

describe('a registry that is killed at every step of a version', { timeout: 180_000 }, () => {
  let first: Standalone;
  let publisher: RegistryPublisher;
  const killed = new Set<string>();
  /** Versions that came to their end. */
  let ended = 0;

  beforeAll(async () => {
    first = await startStandalone({ env: { HEDDLE_WORKERS: '0' } });
    publisher = await RegistryPublisher.create(await RegistryClient.connect(`${first.url}/registry`));
    await first.kill9();
  }, 120_000);
  afterAll(() => first.stop());

  const again = async (failpoints = ''): Promise<Standalone> =>
    await startStandalone({
      env: { HEDDLE_WORKERS: '0', HEDDLE_FAILPOINTS: failpoints },
      ...{ dataDir: first.dataDir, port: first.port },
    });
  const inDatabase = <Result>(use: (client: pg.Client) => Promise<Result>): Promise<Result> =>
    withDatabase(first.dataDir, use);
  const numberIn = (sql: string): Promise<number> =>
    inDatabase(async (client) => Number((await client.query<{ n: string }>(`select ${sql} as n`)).rows[0]!.n));

  /** Starts a process that ends at the point, perhaps before it is ready, while `work` goes on. */
  async function killedAt(point: Point, passage: number, work: () => Promise<unknown>): Promise<void> {
    const doomed = await again(`${point}=kill@${passage}`).catch((error: unknown) => {
      if (error instanceof NotStarted) return { ended: Promise.resolve(error.ending), kill9: () => Promise.resolve() };
      throw error;
    });
    // What it answers no more, the story asks again.
    const working = work().catch(() => undefined);
    try {
      const ending = await within(`the kill at ${point}`, doomed.ended, KILLED_WITHIN_MS);
      expect(ending).toEqual({ code: null, signal: 'SIGKILL' });
    } finally {
      await doomed.kill9();
      await working;
    }
    killed.add(point);
  }

  it.each(KILLS)('at %s, passage %i, loses and doubles nothing', async (point, passage) => {
    const story = new StoryOfVersion(publisher, newId('pack'), await nodePackage(['Killed']), () =>
      adminOf(first.dataDir),
    );
    await killedAt(point, passage, () => story.goOn());
    const next = await again();
    try {
      // Nobody has asked the registry yet: what has its bytes does not wait for a request.
      const waiting = `(select count(*) from registry.version where waits)`;
      await eventually('the inspection of what waits', async () => (await numberIn(waiting)) === 0);
      await story.goOn();
      ended += 1;
      expect(await story.events()).toMatch(EVENTS);
      expect(await story.end()).toMatchObject({
        ...{ status: 'NodeVersionStatusActive', wf_node_extract_status: 'success', status_reason: 'reviewed' },
      });
      expect(await adminOf(first.dataDir)('GET', 'registry/queue')).toMatchObject({ entries: [] });
    } finally {
      await next.kill9();
    }
  });

  it('leaves no bytes that no version has, once they are swept, also by a sweep that is killed', async () => {
    const uploads = join(first.dataDir, 'registry-uploads');
    const ask = async (): Promise<unknown> => await publisher.anyone.get('/keys');
    const old = new Date(Date.now() - LATER_MS);
    for (const name of await readdir(uploads)) await utimes(join(uploads, name), old, old);
    const left = '(select count(*) from registry.upload)';
    expect(await numberIn(left)).toBeGreaterThan(0);
    await moveClock({ databaseUrl: async () => await embeddedDatabaseUrl(first.dataDir) }, LATER_MS);
    await killedAt('registry.sweep.deleted', 1, ask);
    const next = await again();
    try {
      await ask();
      await eventually('the sweep', async () => (await numberIn(left)) === 0);
      const blobs = await inDatabase(async (client) => {
        const { rows } = await client.query<{ blob: string }>(
          'select blob from registry.version where blob is not null',
        );
        return rows.map(({ blob }) => blob).sort();
      });
      expect(blobs.length).toBe(ended);
      await eventually('the end of temporary files', async () => (await readdir(uploads)).length === 0);
      expect((await filesIn(join(first.dataDir, 'registry-blobs'))).sort()).toEqual(blobs);
    } finally {
      await next.terminate();
    }
  });

  it('leaves a log that keeps every link, and rows that are its fold', async () => {
    const next = await again();
    try {
      expectStatus(await publisher.anyone.get('/keys'), 200);
      const unnumbered = '(select count(*) from registry.event) - (select count(*) from registry.event_seq)';
      await eventually('the numbers of all events', async () => (await numberIn(unnumbered)) === 0);
      await inDatabase(async (client) => {
        const { faults, events } = await verifyLog(client, 'registry');
        expect(faults).toEqual([]);
        expect(Number(events)).toBeGreaterThanOrEqual(ended * 7);
        expect(await registryDifferences(client)).toEqual([]);
      });
    } finally {
      await next.terminate();
    }
  });

  it('was killed at every point that the registry has', () => {
    expect([...killed].sort()).toEqual([...REGISTRY_FAILPOINTS].sort());
    expect(registeredFailpoints().filter((name) => name.startsWith('registry.'))).toEqual([...killed].sort());
  });
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
