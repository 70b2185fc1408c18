import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { newUuid } from '@heddle/contracts-messages';
import type { AssetId, AssetView, CommittedOutput, JobId, JobMessage, OutputUpload } from '@heddle/contracts-messages';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { BlobCollector } from '../collect-blobs/blob-collector.js';
import { AssetExpirer } from '../expire-assets/asset-expirer.js';
import { FIND_NEAR_NAMES } from '../find-near-names/find-near-names.sql.js';
import { FollowJobsHandler } from '../follow-jobs/follow-jobs.handler.js';
import { ModerateHashHandler } from '../moderate-hash/moderate-hash.handler.js';

const DAY = 86_400_000;

describe('what a job needs of its assets', () => {
  let database: TestDatabase;
  let under: AssetsUnderTest;
  const alice = somebody();
  const bob = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
    under = await assetsUnderTest(database.database, { blobGraceMs: 0 });
  });
  afterAll(async () => {
    await under.end();
    await database.drop();
  });

  const upload = async (bytes: string, more: { filePath?: string; expiresIn?: string } = {}): Promise<AssetView> =>
    valueOf(await under.assets.upload(alice, sampleRequest({ bytes, ...more }))).asset;
  const newJob = (): JobId => newUuid() as JobId;
  const follow = async (jobId: JobId, type: string, more: Partial<JobMessage> = {}): Promise<void> => {
    const head = { eventId: newUuid(), jobId, ...alice, version: 1, type, fence: 1, recordedAt: '' };
    await under.get(FollowJobsHandler).handle([{ ...head, status: 'queued', ...more }]);
  };
  const sweep = async (): Promise<void> => {
    await under.get(AssetExpirer).run();
    await under.get(BlobCollector).run();
  };
  const commitOutput = (jobId: JobId, more: Partial<OutputUpload> = {}, keptDays = 30) =>
    under.worker.commitOutput(
      under.leases.lend(alice, { jobId }, new Date(Date.now() + keptDays * DAY).toISOString()),
      {
        key: '9/0/0',
        name: 'out.png',
        type: 'image',
        contentType: 'image/png',
        body: Readable.from([Buffer.from('output of '), Buffer.from(jobId)]),
        ...more,
      },
    );

  it('is found by id and, for a name, in the newest live record of the account', async () => {
    const byId = await upload('by id');
    await upload('older', { filePath: 'shared/name.png' });
    // Of two records in the same millisecond neither is newer.
    await database.advanceClock(1);
    const newest = await upload('newest', { filePath: 'shared/name.png' });
    const inputs = valueOf(
      await under.assets.hold(alice, newJob(), { ids: [byId.id, byId.id], names: ['shared/name.png', 'no such'] }),
    );
    expect(inputs).toHaveLength(2);
    expect(inputs).toContainEqual({
      assetId: byId.id,
      hash: byId.hash,
      sizeBytes: 5,
      filePath: 'photo.png',
      name: null,
    });
    expect(inputs).toContainEqual(expect.objectContaining({ assetId: newest.id, name: 'shared/name.png' }));
    expect(valueOf(await under.assets.hold(bob, newJob(), { ids: [], names: ['shared/name.png'] }))).toEqual([]);
  });

  it('is offered for a misspelt name if it is a live path of the account that begins alike', async () => {
    for (const path of ['near/lake.jpg', 'near/sea.jpg']) await upload(path, { filePath: path });
    await upload('gone', { filePath: 'near/lake.jqp', expiresIn: '60' });
    await database.advanceClock(60_001);
    const near = await under.assets.nearNames(alice, 'near/lake.jgp');
    expect(near).toEqual(expect.arrayContaining(['near/lake.jpg', 'near/sea.jpg']));
    expect(near).not.toContain('near/lake.jqp');
    expect(await under.assets.nearNames(bob, 'near/lake.jgp')).toEqual([]);
    for (const odd of ['', '\0', '\ud800', 'x'.repeat(100_000)]) await under.assets.nearNames(alice, odd);
  });

  it('is read along the index of names, however many records an account has', async () => {
    const client = await under.pool.connect();
    // A table of a few rows is read as a whole otherwise.
    await client.query('set enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain ${FIND_NEAR_NAMES.text.replaceAll('$1', `'${alice.accountId}'`).replaceAll('$2', "'near/lake.jgp'")}`,
    );
    client.release(true);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan.match(/asset_name/g)).toHaveLength(2);
  });

  it('is refused as a whole when an id is unknown, foreign, expired or no id at all', async () => {
    const mine = await upload('mine');
    const expired = await upload('expired', { expiresIn: '60' });
    await database.advanceClock(60_001);
    const unknown = newUuid() as AssetId;
    const jobId = newJob();
    const answer = await under.assets.hold(alice, jobId, { ids: [mine.id, unknown, expired.id, unknown], names: [] });
    expect(answer).toMatchObject({
      rejection: { code: 'missing_asset', details: { missing_ids: [unknown, expired.id] } },
    });
    const odd = await under.assets.hold(alice, jobId, { ids: ['odd' as AssetId, mine.id], names: [] });
    expect(odd).toMatchObject({ rejection: { details: { missing_ids: ['odd'] } } });
    expect(codeOf(await under.assets.hold(bob, jobId, { ids: [mine.id], names: [] }))).toBe('missing_asset');
    expect(await under.assets.missing(alice, [mine.id, unknown])).toEqual([unknown]);
    expect(await under.assets.missing(alice, [])).toEqual([]);
    const { rows } = await under.pool.query('select from assets.hold where job_id = $1', [jobId]);
    expect(rows).toHaveLength(0);
  });

  it('keeps its record from deletion until the job ends (AS09)', async () => {
    const asset = await upload('held');
    const jobId = newJob();
    valueOf(await under.assets.hold(alice, jobId, { ids: [asset.id], names: [] }));
    expect(codeOf(await under.assets.delete(alice, asset.id))).toBe('asset_in_use');
    await follow(jobId, 'JobSubmitted', { inputAssetIds: [asset.id] });
    await under.assets.releaseHolds(jobId);
    expect(codeOf(await under.assets.delete(alice, asset.id))).toBe('asset_in_use');
    await follow(jobId, 'JobSucceeded', { status: 'succeeded' });
    expect(codeOf(await under.assets.delete(alice, asset.id))).toBe('accepted');
    expect(codeOf(await under.assets.delete(alice, asset.id))).toBe('not_found');
  });

  it('stays released, whatever a delayed process still sends', async () => {
    const asset = await upload('released once');
    const wanted = { ids: [asset.id], names: [] };
    const jobId = newJob();
    valueOf(await under.assets.hold(alice, jobId, wanted));
    await follow(jobId, 'JobSubmitted', { inputAssetIds: [asset.id] });
    await follow(jobId, 'JobSucceeded', { status: 'succeeded' });
    // A batch that its former reader took before another one continued, and a call that was repeated meanwhile.
    await follow(jobId, 'JobSubmitted', { inputAssetIds: [asset.id] });
    valueOf(await under.assets.hold(alice, jobId, wanted));
    await under.assets.releaseHolds(jobId);
    const unreleased = 'select from assets.hold where job_id = $1 and released_at is null';
    expect((await under.pool.query(unreleased, [jobId])).rowCount).toBe(0);
    await follow(jobId, 'JobSucceeded', { status: 'succeeded' });
    expect(codeOf(await under.assets.delete(alice, asset.id))).toBe('accepted');
    await sweep();
    const { rows: blobs } = await under.pool.query('select from assets.blob where hash = $1', [asset.hash]);
    expect(blobs).toHaveLength(0);
    await database.advanceClock(3_600_001);
    await sweep();
    const { rows } = await under.pool.query('select from assets.hold where job_id = $1', [jobId]);
    expect(rows).toHaveLength(0);
  });

  it('stays released when the end and a late repetition come at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const asset = await upload(`released at once ${round}`);
      const jobId = newJob();
      valueOf(await under.assets.hold(alice, jobId, { ids: [asset.id], names: [] }));
      await follow(jobId, 'JobSubmitted', { inputAssetIds: [asset.id] });
      await Promise.all([
        follow(jobId, 'JobSucceeded', { status: 'succeeded' }),
        follow(jobId, 'JobSubmitted', { inputAssetIds: [asset.id] }),
      ]);
      expect(codeOf(await under.assets.delete(alice, asset.id))).toBe('accepted');
    }
  });

  it('is free again after a refused submission, or after ten minutes of silence', async () => {
    const asset = await upload('provisional');
    const refused = newJob();
    valueOf(await under.assets.hold(alice, refused, { ids: [asset.id], names: [] }));
    await under.assets.releaseHolds(refused);
    const silent = newJob();
    valueOf(await under.assets.hold(alice, silent, { ids: [asset.id], names: [] }));
    const firm = newJob();
    valueOf(await under.assets.hold(alice, firm, { ids: [asset.id], names: [] }));
    await follow(firm, 'JobSubmitted', { inputAssetIds: [asset.id] });
    await database.advanceClock(600_001);
    await sweep();
    const { rows } = await under.pool.query('select job_id from assets.hold where asset_id = $1', [asset.id]);
    expect(rows).toEqual([{ job_id: firm }]);
    await follow(silent, 'JobSubmitted', { inputAssetIds: [asset.id] });
    await follow(firm, 'JobCanceled', { status: 'canceled' });
    expect(codeOf(await under.assets.delete(alice, asset.id))).toBe('asset_in_use');
    await follow(silent, 'JobFailed', { status: 'failed' });
    expect(codeOf(await under.assets.delete(alice, asset.id))).toBe('accepted');
  });

  it('can be read under the lease although the record has expired meanwhile', async () => {
    const asset = await upload('expires while queued', { expiresIn: '60' });
    const jobId = newJob();
    valueOf(await under.assets.hold(alice, jobId, { ids: [asset.id], names: [] }));
    const lease = under.leases.lend(alice, { jobId });
    await database.advanceClock(60_001);
    await sweep();
    expect(codeOf(await under.assets.get(alice, asset.id))).toBe('not_found');
    expect(await text(await under.worker.openInput(lease, asset.id))).toBe('expires while queued');
    await follow(jobId, 'JobFailed', { status: 'failed' });
    await sweep();
    await expect(under.worker.openInput(lease, asset.id)).rejects.toThrow('not held');
  });

  it('is read by nobody but the account of the row that holds it', async () => {
    const asset = await upload('of alice');
    const jobId = newJob();
    valueOf(await under.assets.hold(alice, jobId, { ids: [asset.id], names: [] }));
    // The job belongs to bob, and yet a row names alice: no call leads here.
    const wrong = under.leases.lend(bob, { jobId });
    await expect(under.worker.openInput(wrong, asset.id)).rejects.toThrow('not held');
    const own = under.leases.lend(alice, { jobId });
    expect(await text(await under.worker.openInput(own, asset.id))).toBe('of alice');
    valueOf(await under.get(ModerateHashHandler).handle(asset.hash, 'block'));
    expect(await under.worker.blockedInputs(own)).toEqual([asset.id]);
    expect(await under.worker.blockedInputs(under.leases.lend(bob, { jobId }))).toEqual([]);
  });

  it('decides between a deletion and a hold that come at once', async () => {
    for (let round = 0; round < 15; round += 1) {
      const asset = await upload(`contested ${round}`);
      const [held, deleted] = await Promise.all([
        under.assets.hold(alice, newJob(), { ids: [asset.id], names: [] }),
        under.assets.delete(alice, asset.id),
      ]);
      expect([codeOf(held), codeOf(deleted)]).toBeOneOf([
        ['accepted', 'asset_in_use'],
        ['missing_asset', 'accepted'],
      ]);
    }
  });

  it('may be an output: readable at once, kept as long as its job, swept when no event names it (I10)', async () => {
    const jobId = newJob();
    const named = await commitOutput(jobId);
    const duplicate = await commitOutput(jobId);
    expect(duplicate.assetId).not.toBe(named.assetId);
    const record = valueOf(await under.assets.content(alice, named.assetId));
    expect(record).toMatchObject({ jobId, filePath: 'out.png', hash: named.hash, sizeBytes: named.sizeBytes });
    expect((await buffer(valueOf(await under.assets.bytes(alice, named.assetId)))).toString()).toBe(
      `output of ${jobId}`,
    );
    const output = {
      ...named,
      nodeId: '9',
      key: '9/0/0',
      name: 'out.png',
      type: 'image',
      contentType: 'image/png',
    } as const;
    await follow(jobId, 'OutputCommitted', { status: 'running', output });
    await follow(jobId, 'JobSucceeded', { status: 'succeeded', outputAssetIds: [named.assetId] });
    expect(codeOf(await under.assets.get(alice, named.assetId))).toBe('accepted');
    expect(codeOf(await under.assets.get(alice, duplicate.assetId))).toBe('not_found');
    expect(codeOf(await under.assets.delete(alice, named.assetId))).toBe('asset_in_use');
    const lost = await commitOutput(newJob());
    await database.advanceClock(DAY + 1);
    await sweep();
    expect(codeOf(await under.assets.get(alice, lost.assetId))).toBe('not_found');
    expect(codeOf(await under.assets.get(alice, named.assetId))).toBe('accepted');
    await database.advanceClock(30 * DAY);
    expect(codeOf(await under.assets.content(alice, named.assetId))).toBe('not_found');
  });

  it('keeps the outputs that are named in the batch of messages that ends their job, and no others', async () => {
    const [one, two] = [newJob(), newJob()];
    const head = { ...alice, version: 1, fence: 1, recordedAt: '' };
    const outputs: CommittedOutput[] = [];
    for (const jobId of [one, one, two, two]) outputs.push(await commitOutput(jobId, {}, 365));
    const named = (jobId: JobId, { assetId }: CommittedOutput): JobMessage =>
      ({
        ...head,
        eventId: newUuid(),
        jobId,
        type: 'OutputCommitted',
        status: 'running',
        output: { assetId },
      }) as never;
    const ended = (jobId: JobId, output: CommittedOutput): JobMessage => {
      const outputAssetIds = [output.assetId];
      return { ...head, eventId: newUuid(), jobId, type: 'JobSucceeded', status: 'succeeded', outputAssetIds } as never;
    };
    // The fourth is named by the wrong job, and the second job continues.
    const batch = [named(one, outputs[0]!), named(one, outputs[3]!), ended(one, outputs[0]!)];
    await under.get(FollowJobsHandler).handle(batch);
    await under.get(FollowJobsHandler).handle(batch);
    const states = async (): Promise<string[]> =>
      await Promise.all(outputs.map(async ({ assetId }) => codeOf(await under.assets.get(alice, assetId))));
    expect(await states()).toEqual(['accepted', 'not_found', 'accepted', 'accepted']);
    await under.get(FollowJobsHandler).handle([named(two, outputs[2]!), ended(two, outputs[2]!)]);
    expect(await states()).toEqual(['accepted', 'not_found', 'accepted', 'not_found']);
  });

  it('gets a safe path for an output of any name', async () => {
    const odd = { key: 'a\0b/0/0', name: '../..\\evil\0.png', contentType: 'nonsense' };
    const { assetId } = await commitOutput(newJob(), odd, 90);
    const asset = valueOf(await under.assets.content(alice, assetId));
    expect(asset).toMatchObject({ filePath: '.._.._evil_.png', contentType: 'application/octet-stream' });
  });

  it('is blocked or held by moderation beyond every deletion (UP24)', async () => {
    const asset = await upload('under moderation');
    const moderate = under.get(ModerateHashHandler);
    await moderate.handle(asset.hash, 'hold');
    expect(codeOf(await under.assets.delete(alice, asset.id))).toBe('asset_in_use');
    await moderate.handle(asset.hash, 'release');
    await moderate.handle(asset.hash, 'block');
    expect(codeOf(await under.assets.get(alice, asset.id))).toBe('accepted');
    expect(codeOf(await under.assets.content(alice, asset.id))).toBe('not_found');
    expect(codeOf(await under.assets.hold(alice, newJob(), { ids: [asset.id], names: [] }))).toBe('missing_asset');
    expect(codeOf(await under.assets.delete(alice, asset.id))).toBe('accepted');
    await sweep();
    const files = await under.files();
    const again = sampleRequest({ bytes: 'under moderation', idempotencyKey: 'blocked' });
    expect(codeOf(await under.assets.upload(bob, again))).toBe('input_blocked');
    expect(await under.files()).toEqual(files);
    expect(codeOf(await under.assets.upload(bob, sampleRequest({ bytes: 'fine', idempotencyKey: 'blocked' })))).toBe(
      'accepted',
    );
  });

  it('waits by a clock that does not jump while its submission is decided under a clock that was behind', async () => {
    const patient = await assetsUnderTest(database.database, { sweepPatienceMs: 1_000 });
    const { id } = await upload('held under a clock that was behind');
    const [decided, lost] = [newJob(), newJob()];
    for (const jobId of [decided, lost]) valueOf(await under.assets.hold(alice, jobId, { ids: [id], names: [] }));
    await database.advanceClock(2 * DAY);
    const began = performance.now();
    await patient.get(AssetExpirer).run();
    // Its event was in flight.
    await follow(decided, 'JobSubmitted', { inputAssetIds: [id] });
    const left = async (): Promise<unknown[]> => {
      await patient.get(AssetExpirer).run();
      return (await under.pool.query('select job_id from assets.hold where asset_id = $1', [id])).rows;
    };
    await expect.poll(left, { interval: 100 }).toEqual([{ job_id: decided }]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_000);
    await patient.end();
  });
});
