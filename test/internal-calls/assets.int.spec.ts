import { PassThrough, Readable } from 'node:stream';
import { CALLS, RemoteAssets, RemoteWorkerAssets, serveAssets } from '@heddle/internal-api';
import { newUuid } from '@heddle/contracts-messages';
import type {
  Answer,
  AssetId,
  AssetsPort,
  JobId,
  LeaseHolder,
  MintedAsset,
  Principal,
  WorkerAssetsPort,
} from '@heddle/contracts-messages';
import type { CallServer, ServiceClient } from '@heddle/platform-service-calls';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsDatabase, MULTIPART, multipartFrame, openAssets } from './assets-under-test.js';
import type { AssetsUnderTest } from './assets-under-test.js';
import { clientOf, listening, tokenOf } from './call-servers.js';
import { someAccount, until } from './jobs-under-test.js';

const FIELDS = { content_type: 'image/png', file_path: 'photo.png' };
const MIB = 1024 * 1024;

describe('the assets service over the wire', () => {
  let db: TestDatabase;
  let local: AssetsUnderTest;
  let server: CallServer;
  const clients: ServiceClient[] = [];
  let assets: AssetsPort;
  let worker: WorkerAssetsPort;
  /** Whose lease every lease is. */
  let holder: LeaseHolder | null = null;
  beforeAll(async () => {
    db = await assetsDatabase();
    const settings = { uploadBytes: 8 * MIB, outputBytes: 4 * MIB, partHeadBytes: 1_024 };
    local = await openAssets(db, settings, { holderOf: async () => await Promise.resolve(holder) });
    server = await listening((routes) => serveAssets(routes, local));
    assets = new RemoteAssets(clientTo('gateway'));
    worker = new RemoteWorkerAssets(clientTo('worker'));
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server.close(0);
    await local.end();
    await db.drop();
  });

  function clientTo(service: string, deployment: string | null = null): ServiceClient {
    const client = clientOf('assets', [server.url], { token: tokenOf(service, deployment) });
    clients.push(client);
    return client;
  }
  function upload(
    bytes: Buffer,
    me = someAccount(),
    fields: Readonly<Record<string, string>> = FIELDS,
    idempotencyKey: string | null = null,
  ): Promise<Answer<MintedAsset>> {
    const { head, tail } = multipartFrame(fields);
    const body = Readable.from([head, bytes, tail]);
    return assets.upload(me, { contentType: MULTIPART, idempotencyKey, body });
  }
  async function read(body: Readable): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }
  const holderOf = (principal: Principal): LeaseHolder => ({
    ...principal,
    workerId: 'worker-a',
    jobExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const bytesOf = (length: number): Buffer => Buffer.from(Uint8Array.from({ length }, (_, at) => at % 251));
  function valueOf<T>(answer: Answer<T>): T {
    if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer.rejection)}`);
    return answer.value;
  }

  it('takes uploads, and gives their records and bytes, whole and in ranges', async () => {
    const me = someAccount();
    const bytes = bytesOf(3 * MIB);
    const { asset, created } = valueOf(await upload(bytes, me));
    expect(created).toBe(true);
    expect(await assets.get(me, asset.id)).toEqual(await local.assets.get(me, asset.id));
    const content = valueOf(await assets.content(me, asset.id));
    expect(content.asset).toEqual(asset);
    expect((await read(await content.open())).equals(bytes)).toBe(true);
    expect(
      (await read(await content.open({ start: 1_000, end: 2_000_000 }))).equals(bytes.subarray(1_000, 2_000_001)),
    ).toBe(true);
    expect(await assets.canMint(me, asset.hash)).toBe(true);
    const mint = { hash: asset.hash, filePath: 'b.png', tags: ['a'], expiresIn: null };
    expect(valueOf(await assets.mintFromHash(me, mint))).toMatchObject({ created: true, asset: { tags: ['a'] } });
    const stranger = someAccount();
    expect(await assets.missing(stranger, [asset.id])).toEqual([asset.id]);
    expect(await assets.content(stranger, asset.id)).toEqual(await local.assets.content(stranger, asset.id));
    expect(await assets.delete(me, asset.id)).toEqual({ ok: true, value: null });
    expect(await assets.delete(me, asset.id)).toMatchObject({ ok: false, rejection: { code: 'not_found' } });
    await expect(content.open()).rejects.toThrow(/went while it was opened/);
  });

  it('refuses as the service itself does, the body read to its end or not', async () => {
    const me = someAccount();
    expect(await upload(bytesOf(10), me, { ...FIELDS, expected_hash: `blake3:${'0'.repeat(64)}` })).toMatchObject({
      rejection: { code: 'hash_mismatch' },
    });
    expect(await upload(bytesOf(9 * MIB), me)).toMatchObject({ rejection: { code: 'payload_too_large' } });
    const endless = new Readable({ read: () => undefined });
    endless.push(multipartFrame({ x: 'y'.repeat(5_000_000) }).head);
    const refused = await assets.upload(me, { contentType: MULTIPART, idempotencyKey: null, body: endless });
    expect(refused).toMatchObject({ ok: false });
    expect(endless.destroyed).toBe(false);
    const wrongType = { contentType: undefined, idempotencyKey: null, body: Readable.from([bytesOf(10)]) };
    expect(await assets.upload(me, wrongType)).toMatchObject({ rejection: { code: 'invalid_request' } });
    await upload(bytesOf(10), me, FIELDS, 'key-1');
    expect(await upload(bytesOf(10), me, FIELDS, 'key-1')).toMatchObject({
      rejection: { code: 'idempotency_key_reuse' },
    });
  });

  it('keeps nothing of an upload whose client hangs up', async () => {
    const before = (await local.files()).length;
    const body = new PassThrough();
    const answer = assets.upload(someAccount(), { contentType: MULTIPART, idempotencyKey: null, body });
    body.write(multipartFrame(FIELDS).head);
    body.write(bytesOf(2 * MIB));
    await until(async () => (await local.files()).length > before, 'the begin of the upload');
    body.destroy();
    expect(await answer).toMatchObject({ ok: false, rejection: { code: 'bad_request' } });
    await until(async () => (await local.files()).length === before, 'the end of the unfinished file');
  });

  it('holds assets for a job, from which a worker reads its inputs', async () => {
    const me = someAccount();
    const bytes = bytesOf(100_000);
    const { asset } = valueOf(await upload(bytes, me));
    const jobId = newUuid() as JobId;
    const held = valueOf(await assets.hold(me, jobId, { ids: [asset.id], names: ['photo.png', 'none.png'] }));
    expect(held).toEqual(
      valueOf(await local.assets.hold(me, jobId, { ids: [asset.id], names: ['photo.png', 'none.png'] })),
    );
    holder = holderOf(me);
    const lease = { jobId, fence: 1, workerId: 'worker-a' };
    expect((await read(await worker.openInput(lease, asset.id))).equals(bytes)).toBe(true);
    const other = valueOf(await upload(bytes, me, { ...FIELDS, file_path: 'other.png' })).asset;
    await expect(worker.openInput(lease, other.id)).rejects.toMatchObject({ name: 'CallFailedError' });
    expect(await assets.delete(me, asset.id)).toMatchObject({ rejection: { code: 'asset_in_use' } });
    await assets.releaseHolds(jobId);
    const unknown = newUuid() as AssetId;
    expect(await assets.hold(me, jobId, { ids: [unknown], names: [] })).toMatchObject({
      ok: false,
      rejection: { code: 'missing_asset', details: { missing_ids: [unknown] } },
    });
  });

  it('takes outputs of workers, and refuses those that are too large before their end', async () => {
    const principal = someAccount();
    const lease = { jobId: newUuid() as JobId, fence: 3, workerId: 'worker-a' };
    holder = holderOf(principal);
    const output = (body: Readable) => ({
      key: '9/0/0',
      name: 'é\u2028.png',
      type: 'image' as const,
      contentType: 'image/png',
      body,
    });
    const committed = await worker.commitOutput(lease, output(Readable.from([bytesOf(MIB)])));
    expect(committed).toMatchObject({ sizeBytes: MIB, hash: expect.stringMatching(/^blake3:/) as string });
    const chunk = bytesOf(64 * 1024);
    const endless = new Readable({ read: () => void endless.push(chunk) });
    await expect(worker.commitOutput(lease, output(endless))).rejects.toMatchObject({
      name: 'CallFailedError',
      code: 'OutputTooLargeError',
      message: expect.stringContaining(String(4 * MIB)) as string,
    });
    endless.destroy();
    const other = new RemoteWorkerAssets(clientTo('worker', someAccount().deploymentId));
    await expect(other.commitOutput(lease, output(Readable.from([chunk])))).rejects.toMatchObject({ status: 403 });
    const own = new RemoteWorkerAssets(clientTo('worker', principal.deploymentId));
    holder = { ...holder, workerId: `worker-a@${principal.deploymentId}` };
    expect(await own.commitOutput(lease, output(Readable.from([chunk])))).toMatchObject({ sizeBytes: chunk.length });
    await expect(new RemoteAssets(clientTo('worker')).get(principal, committed.assetId)).rejects.toMatchObject({
      status: 403,
    });
  });

  const plain = { key: '9/0/0', name: 'out.png', type: 'image', contentType: 'image/png' };
  it.each([
    ['a key that would be a large buffer', { output: { ...plain, key: { length: 20_000_000 } } }],
    ['a key of bytes', { output: { ...plain, key: [1, 2] } }],
    ['a key that is a number', { output: { ...plain, key: 5e9 } }],
    ['a key that is null', { output: { ...plain, key: null } }],
    ['no key', { output: { ...plain, key: undefined } }],
    ['a long key', { output: { ...plain, key: 'k'.repeat(1_025) } }],
    ['a name that is a number', { output: { ...plain, name: 7 } }],
    ['a long name', { output: { ...plain, name: 'n'.repeat(1_025) } }],
    ['a content type that is a list', { output: { ...plain, contentType: ['image/png'] } }],
    ['a long content type', { output: { ...plain, contentType: 't'.repeat(256) } }],
    ['an unknown type', { output: { ...plain, type: 'toString' } }],
    ['a type that is a list', { output: { ...plain, type: ['image'] } }],
    ['no output', { output: null }],
    ['no lease', { lease: null }],
    ['a lease that is a number', { lease: 7 }],
    ['a list as the job', { lease: { jobId: [newUuid()], fence: 3 } }],
    ['a fence that is text', { lease: { jobId: newUuid(), fence: '3' } }],
  ])('takes no output with %s, and stores nothing', async (_, wrong) => {
    holder = holderOf(someAccount());
    const head = { lease: { jobId: newUuid(), fence: 3 }, workerId: 'worker-a', output: plain, ...wrong };
    const files = await local.files();
    const { commitOutput: path } = CALLS.workerAssets;
    const upload = clientTo('worker').upload({ path, head, body: Readable.from([bytesOf(10)]) });
    await expect(upload).rejects.toMatchObject({ name: 'CallRefusedError', status: 400, code: 'malformed' });
    expect(await local.files()).toEqual(files);
  });

  it.each([null, 7, [newUuid()], { length: 36 }])('opens no input by %j', async (assetId) => {
    holder = holderOf(someAccount());
    const head = { lease: { jobId: newUuid(), fence: 3 }, workerId: 'worker-a', assetId };
    const opening = clientTo('worker').download({ path: CALLS.workerAssets.openInput, head });
    await expect(opening).rejects.toMatchObject({ name: 'CallRefusedError', status: 400, code: 'malformed' });
  });
});
