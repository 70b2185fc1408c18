import { newUuid } from '@heddle/contracts-messages';
import { expectStatus, textGraph } from '@heddle/testing-api';
import { afterAll, describe, expect, it } from 'vitest';
import { moveClock, withDatabaseOf } from './database.js';
import { expectRefusal } from './expectations.js';
import { newKey, ownServer, useServer } from './server.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

describe.runIf(ownServer)('what a submission leaves, as time goes by', () => {
  const server = useServer({ HEDDLE_WORKERS: '0', HEDDLE_MAX_QUEUE_WAIT_S: '1000000' });
  afterAll(() => moveClock(server.process, 0));

  it('a key lives for 24 hours: still claimed at 23:59, free at 24:01 (Idempotency rules 5) [ID11]', async () => {
    const key = newKey();
    const form = { bytes: Buffer.from('x'), content_type: 'a/b', file_path: 'x' };
    const job = await server.client.submitted(textGraph(), { key });
    expect((await server.client.upload(form, { key })).status).toBeLessThan(300);
    await moveClock(server.process, DAY_MS - MINUTE_MS);
    expectRefusal(await server.client.submit(textGraph(), { key }), 422, 'idempotency_key_reuse');
    expectRefusal(await server.client.upload(form, { key }), 422, 'idempotency_key_reuse');
    await moveClock(server.process, DAY_MS + MINUTE_MS);
    const again = await server.client.submitted(textGraph(), { key });
    expect(again.id).not.toBe(job.id);
    expect((await server.client.upload(form, { key })).status).toBeLessThan(300);
    expectRefusal(await server.client.submit(textGraph(), { key }), 422, 'idempotency_key_reuse');
  });

  it('a hold keeps its asset while the submission is undecided, not once it must have failed (decisions, Holds)', async () => {
    const { id } = await server.client.uploaded();
    const change = async (sql: string, jobId: string): Promise<void> =>
      void (await withDatabaseOf(server.process, (client) => client.query(sql, [jobId, id])));
    const hold = (ageS: number): string => `insert into assets.hold (job_id, asset_id, account_id, hash, created_at)
      select $1, id, account_id, hash, heddle.clock_now() - interval '${ageS} s' from assets.asset where id = $2`;
    // The age of the hold decides: the id carries the clock of its creator.
    await change(hold(601), newUuid());
    const undecided = newUuid(Date.now() - 601_000);
    await change(hold(0), undecided);
    expectRefusal(await server.client.deleteAsset(id), 409, 'asset_in_use');
    await change('delete from assets.hold where job_id = $1 and asset_id = $2', undecided);
    expectStatus(await server.client.deleteAsset(id), 204);
  });
});
