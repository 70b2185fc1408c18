import { readdir } from 'node:fs/promises';
import { EVENT_SELECT, storedEvent } from '@heddle/platform-event-log';
import type { EventRow, StoredEvent } from '@heddle/platform-event-log';
import type { ClientBase } from 'pg';

export interface RecordedEvent extends StoredEvent {
  /** Sequence number in the log; null until it is sequenced. */
  readonly seq: number | null;
}

export interface JobRow {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly fence: number;
  readonly idempotency_key: string | null;
  readonly workflow_hash: string;
}

export interface AssetRow {
  readonly id: string;
  readonly hash: string;
  readonly job_id: string | null;
  readonly confirmed: boolean;
}

/** The state after a run: the log, the other tables, the files */
export interface RecordedRun {
  /** By job, in the order of versions */
  readonly streams: ReadonlyMap<string, readonly RecordedEvent[]>;
  readonly highestSeq: number;
  readonly sequenced: number;
  readonly jobs: readonly JobRow[];
  /** By job, in order: key and asset */
  readonly outputs: readonly { readonly job_id: string; readonly key: string; readonly asset_id: string }[];
  readonly queue: readonly { readonly job_id: string; readonly state: string; readonly account_id: string }[];
  readonly depths: readonly { readonly account_id: string; readonly waiting: number; readonly running: number }[];
  readonly jobKeys: readonly { readonly key: string; readonly job_id: string }[];
  readonly workflows: ReadonlyMap<string, Buffer>;
  readonly assets: readonly AssetRow[];
  readonly assetKeys: readonly { readonly key: string; readonly asset_id: string }[];
  readonly blobs: readonly { readonly hash: string; readonly object_key: string; readonly size_bytes: string }[];
  /** Holds that were not released */
  readonly holds: readonly { readonly job_id: string; readonly firm: boolean }[];
  readonly openUploads: readonly string[];
  readonly doomedObjects: readonly string[];
  readonly objects: readonly string[];
  /** Rights of the service's role that break the append-only log */
  readonly forbiddenRights: readonly string[];
}

/** Limit on attempts; a blob collection during the read needs a few. */
const MAX_READINGS = 50;

/** `objectsFolder`: folder with the stored objects as files. */
export async function readRun(client: ClientBase, objectsFolder: string): Promise<RecordedRun> {
  const rows = async <Row>(sql: string): Promise<Row[]> => (await client.query(sql)).rows as Row[];
  const streams = new Map<string, RecordedEvent[]>();
  const events = await rows<EventRow & { seq: string | null }>(
    `select ${EVENT_SELECT}, s.seq from jobs.event e left join jobs.event_seq s on s.position = e.position
      order by e.stream_id, e.version, s.seq`,
  );
  for (const row of events) {
    const event = { ...storedEvent(row), seq: row.seq === null ? null : Number(row.seq) };
    streams.set(event.streamId, [...(streams.get(event.streamId) ?? []), event]);
  }
  const sequence = await rows<{ highest: number; sequenced: number }>(
    'select coalesce(max(seq), 0)::int as highest, count(*)::int as sequenced from jobs.event_seq',
  );
  const workflows = await rows<{ hash: string; bytes: Buffer }>(
    `select encode(hash, 'hex') as hash, bytes from jobs.workflow`,
  );
  const column = async (sql: string): Promise<string[]> => (await rows<{ text: string }>(sql)).map(({ text }) => text);
  const stored = async (): Promise<Pick<RecordedRun, 'blobs' | 'doomedObjects'>> => ({
    blobs: await rows('select hash, object_key, size_bytes from assets.blob order by hash'),
    doomedObjects: await column('select object_key::text as text from assets.delete_task order by 1'),
  });
  return {
    streams,
    highestSeq: sequence[0]?.highest ?? 0,
    sequenced: sequence[0]?.sequenced ?? 0,
    jobs: await rows(
      `select id, status, version, fence, idempotency_key, encode(workflow_hash, 'hex') as workflow_hash from jobs.job`,
    ),
    outputs: await rows(
      `select job_id, convert_from(key, 'utf8') as key, output->>'assetId' as asset_id
         from jobs.job_output order by job_id, ordinal`,
    ),
    queue: await rows('select job_id, state, account_id from jobs.queue'),
    depths: await rows('select account_id, waiting, running from jobs.queue_depth'),
    jobKeys: await rows('select key, job_id from jobs.idempotency_key'),
    workflows: new Map(workflows.map(({ hash, bytes }) => [hash, bytes])),
    assets: await rows('select id, hash, job_id, confirmed_at is not null as confirmed from assets.asset'),
    assetKeys: await rows('select key, asset_id from assets.idempotency_key'),
    holds: await rows('select job_id, firm_at is not null as firm from assets.hold where released_at is null'),
    openUploads: await column('select object_key::text as text from assets.upload'),
    ...(await atOneMoment(stored, objectsFolder)),
    forbiddenRights: await column(forbiddenRightsSql),
  };
}

/** I23: no service role may change the log, and a trigger enforces it. */
const forbiddenRightsSql = `
select r.rolname || ' may ' || p.privilege || ' ' || t.name as text
  from pg_roles r, unnest(array['UPDATE', 'DELETE', 'TRUNCATE']) as p(privilege),
       unnest(array['jobs.event', 'jobs.event_seq']) as t(name)
 where r.rolname like 'heddle\\_%' and has_table_privilege(r.rolname, t.name, p.privilege)
union all
select t.name || ' has no trigger that refuses changes' from unnest(array['jobs.event', 'jobs.event_seq']) as t(name)
 where not exists (select from pg_trigger g where g.tgrelid = t.name::regclass and g.tgname = 'append_only' and g.tgenabled <> 'D')`;

/** Reads rows and objects until they are consistent: unreferenced objects may be collected during the read. */
async function atOneMoment<Rows>(
  stored: () => Promise<Rows>,
  folder: string,
): Promise<Rows & { readonly objects: string[] }> {
  let before = await stored();
  for (let reading = 1; ; reading += 1) {
    const objects = await objectsIn(folder);
    const after = await stored();
    if (JSON.stringify(after) === JSON.stringify(before) || reading === MAX_READINGS) return { ...after, objects };
    before = after;
  }
}

async function objectsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}
