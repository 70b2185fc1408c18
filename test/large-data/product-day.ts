import {
  eventually,
  failingGraph,
  freshBytes,
  HeddleClient,
  loadGraph,
  pictureGraph,
  sleepingGraph,
} from '@heddle/testing-api';
import type { Standalone } from '@heddle/testing-standalone';
import type pg from 'pg';
import { crowdedAsset } from './grow-tables.ts';
import { page } from './measures/lists.ts';

/** More than five: after five uses in a session, the server may choose a generic plan. */
const ROUNDS = 7;
const FILTERS = [
  '',
  'status=failed',
  'status=expired',
  'status=queued,running',
  'status=running',
  'status=canceling,running',
  'metadata[project]=alpha',
  'metadata[project]=alpha&metadata[team]=3',
  'metadata[project]=alpha&status=failed',
  'metadata[run]=none',
  'idempotency_key=none',
];

/**
 * Uses every function of a Heddle: lists by every filter, jobs that succeed, fail, wait and are canceled, assets from upload
 * to deletion. Then lets jobs, assets, keys and holds expire, and waits for the maintenance.
 */
export async function liveOneDay({ url, opsUrl }: Standalone, owner: pg.Client): Promise<void> {
  const crowded = await crowdedAsset(owner);
  const client = await HeddleClient.connect(url);
  for (let round = 0; round < ROUNDS; round += 1) {
    await useAssets(client);
    await useJobs(client, round);
    for (const filter of FILTERS) {
      const next = await page(url, filter, null);
      if (next !== null) await page(url, filter, next);
    }
    for (const path of ['metrics', 'readyz']) await (await fetch(`${opsUrl}/${path}`)).arrayBuffer();
  }
  await client.deleteAsset(crowded.id);
  await letExpire(owner);
}

async function useAssets(client: HeddleClient): Promise<void> {
  const bytes = freshBytes();
  const asset = await client.uploaded({ bytes, file_path: 'same.bin' });
  await client.uploaded({ bytes, file_path: 'same.bin' });
  await client.fromHash({ hash: asset.hash, file_path: 'minted.bin' });
  await client.headByHash(asset.hash!);
  await client.content(asset.id);
  await client.asset(asset.id);
  await client.deleteAsset(asset.id);
}

async function useJobs(client: HeddleClient, round: number): Promise<void> {
  const picture = await client.submitted(pictureGraph(), { metadata: { project: 'alpha', round: String(round) } });
  const done = await client.reached(picture.id, 'succeeded');
  const [failing, loading, slow] = await Promise.all([
    client.submitted(failingGraph(), { key: `day/${round}/${picture.id}` }),
    client.submitted(loadGraph({ __type: 'core/ASSET', info: { id: done.outputs[0]!.id } })),
    client.submitted(sleepingGraph(60)),
  ]);
  const waiting = await client.submitted(sleepingGraph(60));
  await client.cancel(waiting.id);
  await client.workflow(failing.id);
  await client.reached(slow.id, ['running', 'canceled']);
  await client.cancel(slow.id);
  for (const id of [failing.id, loading.id, slow.id, waiting.id])
    await client.reached(id, ['succeeded', 'failed', 'canceled']);
}

const DUE = 60;

/** Moves the expiry of rows to now, so that their removal is due. */
export async function letExpire(owner: pg.Client): Promise<void> {
  await owner.query(`update jobs.job set expires_at = now() where id in (
    select id from jobs.job where status in ('succeeded', 'failed') order by expires_at limit ${DUE})`);
  await owner.query(`update jobs.idempotency_key set claimed_at = now() - interval '2 days' where job_id in (
    select job_id from jobs.idempotency_key limit ${DUE})`);
  await owner.query(`update assets.idempotency_key set claimed_at = now() - interval '2 days' where asset_id in (
    select asset_id from assets.idempotency_key limit ${DUE})`);
  await owner.query(`update assets.asset set expires_at = now() - interval '1 second' where id in (
    select id from assets.asset where expires_at is not null order by expires_at limit ${DUE})`);
  await eventually('what is due is removed', async () => {
    const { rows } = await owner.query<{ left: boolean }>(`select
      exists (select from jobs.job where expires_at <= now()) or exists (select from assets.asset where expires_at <= now())
      or exists (select from jobs.idempotency_key where claimed_at < now() - interval '1 day')
      or exists (select from assets.idempotency_key where claimed_at < now() - interval '1 day')
      or exists (select from assets.blob where condemned_at is not null) or exists (select from assets.delete_task where taken_until is null) as left`);
    return rows[0]!.left ? null : true;
  });
}
