import { randomUUID } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkOfEvent } from '@heddle/platform-event-log';
import type { NumberedEvent } from '@heddle/platform-event-log';
import type { TestDatabase } from '@heddle/testing-database';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExportFolder } from '../export-place/export-folder.js';
import { segmentPaths, unlistedFiles } from '../export-place/export-place.js';
import { emptyLogDatabase, numberEvents } from '../logged-database.fixture.js';
import { DatabaseSource } from '../open-source/database-source.js';
import type { HistorySource } from '../open-source/history-source.js';
import { ExportSource } from '../read-export/export-source.js';
import { HistoryEngine } from '../read-export/history-engine.js';
import { exportHistory, type ExportReport } from './export-history.js';

/** What a format between the two engines could take for its own: quotes, escapes, ends of lines, nulls. */
const TEXTS = ['"', `'`, '\\', '\\N', '\n', '\r\n', '\t', ',', '\\.', 'ü', '日本', '😀', 'a\ufeff', 'NULL', ' '];
const INSERT = `
  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence, worker_seq,
                          is_terminal, recorded_at, correlation_id, causation_id, data)
  values (gen_random_uuid(), $1, $2, $3, 1, gen_random_uuid(), gen_random_uuid(), $4, $5, $6, $7, $8, $9, $10)`;
const { signal } = new AbortController();

let db: TestDatabase;
let client: pg.Client;
let folder: string;
beforeEach(async () => {
  db = await emptyLogDatabase();
  client = new pg.Client(db.ownerUrl);
  await client.connect();
  folder = await mkdtemp(join(tmpdir(), 'heddle-export-'));
});
afterEach(async () => {
  await client.end();
  await db.drop();
  await rm(folder, { recursive: true });
});

const idOf = (job: number): string => `0199f2a4-7c11-7d9e-a1f0-${String(job).padStart(12, '0')}`;

/** Two events of each text: every field once with a value and once, if it may be, null. */
async function fillLog(): Promise<void> {
  for (const [job, text] of TEXTS.entries())
    for (const version of [1, 2]) {
      const at = new Date(
        Date.UTC(job === 0 ? 1969 : 2026, 11, 31, 23, 59, 59, 900 + job * 10 + version),
      ).toISOString();
      const data = Buffer.from(JSON.stringify({ nodeId: text, text: text.repeat(50) }));
      const rest =
        version === 1
          ? [null, null, false, at, null, null]
          : [Number.MAX_SAFE_INTEGER, 1_000_000, true, at, text, randomUUID()];
      await client.query(INSERT, [idOf(job), version, version === 1 ? 'JobSubmitted' : 'NodeFinished', ...rest, data]);
    }
  await numberEvents(db, TEXTS.length * 2);
}

/** As somebody who may change the log. */
async function change(sql: string, values: readonly unknown[] = []): Promise<void> {
  await client.query('set session_replication_role = replica');
  await client.query(sql, [...values]);
  await client.query('reset session_replication_role');
}

async function eventsOf(source: HistorySource): Promise<object[]> {
  const events: NumberedEvent[] = [];
  for await (const batch of source.events(0n)) events.push(...batch);
  return events.map((event) => ({
    ...{ ...event, status: null, traceparent: null, epoch: null },
    dataDigest: event.data === null ? event.dataDigest!.toString('hex') : null,
  }));
}

async function exportedEvents(): Promise<object[]> {
  const place = new ExportFolder(folder);
  const manifest = await place.manifest();
  const engine = await HistoryEngine.open();
  try {
    return await eventsOf(new ExportSource('', engine.connection, segmentPaths(place, manifest)));
  } finally {
    engine.close();
  }
}

const exported = (place = new ExportFolder(folder), redact = false): Promise<ExportReport> =>
  exportHistory(client, { place, until: null, segment: 8, redact, signal });

describe('an export', () => {
  it('has every field of every event, whatever the session says about text', async () => {
    await fillLog();
    await client.query(`set bytea_output = escape; set datestyle = 'German, DMY'; set timezone = 'Asia/Kolkata'`);
    expect(await exported()).toMatchObject({ fromSeq: 1, toSeq: 30, events: 30 });
    expect(await exportedEvents()).toEqual(await eventsOf(new DatabaseSource(client, '')));
    expect((await readdir(folder)).sort()).toEqual(['events', 'manifest.json']);
  });

  it('has what is left of an event that was purged, or whose partition was detached', async () => {
    await fillLog();
    const all: NumberedEvent[] = [];
    for await (const batch of new DatabaseSource(client, '').events(0n)) all.push(...batch);
    const [purged, detached, first] = [all[3]!, all[9]!, all[0]!];
    await change('alter table jobs.event alter data drop not null');
    await change('update jobs.event set data_digest = sha256(data), data = null where event_id = $1', [purged.eventId]);
    for (const { eventId, seq, ...event } of [detached, first]) {
      const link = linkOfEvent({ ...event, eventId });
      await change('update jobs.event_seq set link = $1 where seq = $2', [link, String(seq)]);
      await change('delete from jobs.event where event_id = $1', [eventId]);
    }
    await exported();
    const found = await exportedEvents();
    expect(found).toEqual(await eventsOf(new DatabaseSource(client, '')));
    expect(found.filter((event) => (event as NumberedEvent).data === null)).toHaveLength(3);
  });

  it('reads numbers that do not name the job of their event', async () => {
    await fillLog();
    await change('update jobs.event_seq set stream_id = null where seq in (2, 29)');
    await exported();
    expect(await exportedEvents()).toEqual(await eventsOf(new DatabaseSource(client, '')));
  });

  it('leaves the payloads where they are if they are redacted', async () => {
    await fillLog();
    await exported(new ExportFolder(folder), true);
    const digests = (await exportedEvents()).map((event) => (event as { dataDigest: string }).dataDigest);
    const { rows } = await client.query<{ digest: string }>(
      `select encode(sha256(data), 'hex') as digest from jobs.event_seq s join jobs.event e using (txid, position) order by seq`,
    );
    expect(digests).toEqual(rows.map(({ digest }) => digest));
  });

  it('that met a gap keeps what it published, names the segment, and leaves nothing else', async () => {
    await fillLog();
    await change('delete from jobs.event_seq where seq = 20');
    await expect(exported()).rejects.toThrow('the log has a gap between seq 17 and 24');
    expect((await new ExportFolder(folder).manifest())?.watermark.seq).toBe(16);
    expect(await exportedEvents()).toHaveLength(16);
    expect((await readdir(folder)).sort()).toEqual(['events', 'manifest.json']);
    expect(await unlistedFiles(new ExportFolder(folder), await new ExportFolder(folder).manifest())).toEqual([]);
  });

  it('that fails while the next segment is fetched leaves no file of either, and goes on later', async () => {
    await fillLog();
    const place = new (class extends ExportFolder {
      #files = 0;
      override async add(...file: Parameters<ExportFolder['add']>): ReturnType<ExportFolder['add']> {
        this.#files += 1;
        if (this.#files === 5) throw new Error('the disk is gone');
        return await super.add(...file);
      }
    })(folder);
    await expect(exported(place)).rejects.toThrow('the disk is gone');
    const manifest = await place.manifest();
    expect(await unlistedFiles(place, manifest)).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual(['events', 'manifest.json']);
    expect((await client.query<{ n: number }>('select 1 as n')).rows).toEqual([{ n: 1 }]);
    // What a process that was killed has left.
    await mkdir(join(folder, '.export.staging', '1'), { recursive: true });
    await writeFile(join(folder, '.export.staging', '1', '1.tsv'), 'half a li');
    await exported();
    expect(await exportedEvents()).toEqual(await eventsOf(new DatabaseSource(client, '')));
    await expect(access(join(folder, '.export.staging'))).rejects.toThrow('ENOENT');
  });

  it('ends with the reason of an abort', async () => {
    await fillLog();
    const ended = new AbortController();
    const run = exportHistory(client, {
      ...{ place: new ExportFolder(folder), until: null, segment: 4, redact: false, signal: ended.signal },
      onProgress: () => ended.abort(new Error('interrupted')),
    });
    await expect(run).rejects.toThrow('interrupted');
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
