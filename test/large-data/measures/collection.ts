import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Figures } from './timing.ts';

const ASSETS = 2_000;
const GIVEN_UP_MS = 120_000;

/** Time from the expiry of 2,000 assets to the removal of their bytes: sweep, collection, deletion; no grace time. */
export async function measureCollection(owner: pg.Client): Promise<Figures> {
  const { rowCount } = await owner.query(
    `update assets.asset set expires_at = now() - interval '1 second', retained_until = null, job_id = null, fence = null
     where id in (select id from assets.asset where expires_at > now() order by expires_at limit ${ASSETS})`,
  );
  if (rowCount !== ASSETS) return {};
  const began = performance.now();
  while (performance.now() - began < GIVEN_UP_MS && (await isLeft(owner))) await delay(50);
  return { 'collection of 2,000 assets, ms': performance.now() - began };
}

async function isLeft(owner: pg.Client): Promise<boolean> {
  const { rows } = await owner.query<{ left: boolean }>(
    `select exists (select from assets.asset where expires_at <= now()) or exists (select from assets.collect_candidate)
       or exists (select from assets.blob where condemned_at is not null) or exists (select from assets.delete_task) as left`,
  );
  return rows[0]!.left;
}
