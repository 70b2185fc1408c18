import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { INPUT_BLOCKED, newUuid } from '@heddle/contracts-messages';
import type {
  Answer,
  AssetId,
  AssetsPort,
  JobId,
  LeaseHolder,
  MintedAsset,
  ModerationPort,
  Principal,
  WorkerAssetsPort,
} from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsDatabase, MULTIPART, multipartFrame, openAssets } from './assets-under-test.js';
import type { AssetsUnderTest } from './assets-under-test.js';
import { someAccount, until } from './jobs-under-test.js';

const FIELDS = { content_type: 'image/png', file_path: 'photo.png' };
const MIB = 1024 * 1024;

export const ASSET_LIMITS = { uploadBytes: 8 * MIB, outputBytes: 4 * MIB, partHeadBytes: 1_024 };

export interface AssetPorts {
  readonly assets: AssetsPort;
  readonly worker: WorkerAssetsPort;
  readonly moderation: ModerationPort;
  close(): Promise<void>;
}

export function bytesOf(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, at) => at % 251));
}

export function holderOf(principal: Principal): LeaseHolder {
  return { ...principal, workerId: 'worker-a', jobExpiresAt: new Date(Date.now() + 3_600_000).toISOString() };
}

export function outputOf(body: Readable) {
  return { key: '9/0/0', name: 'é\u2028.png', type: 'image' as const, contentType: 'image/png', body };
}

function valueOf<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer.rejection)}`);
  return answer.value;
}

/** Conformance suite of AssetsPort, WorkerAssetsPort and ModerationPort. `bind` connects them to the assets service of the suite. */
export function describeAssetPorts(name: string, bind: (local: AssetsUnderTest) => Promise<AssetPorts>): void {
  describe(`the ports of the assets service: ${name}`, () => {
    let db: TestDatabase;
    let local: AssetsUnderTest;
    let ports: AssetPorts;
    let assets: AssetsPort;
    let worker: WorkerAssetsPort;
    /** The holder of every lease */
    let holder: LeaseHolder | null = null;
    beforeAll(async () => {
      db = await assetsDatabase();
      local = await openAssets(db, ASSET_LIMITS, { holderOf: async () => await Promise.resolve(holder) });
      ports = await bind(local);
      ({ assets, worker } = ports);
    });
    afterAll(async () => {
      await ports.close();
      await local.end();
      await db.drop();
    });

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

    it('takes uploads, and gives their records and bytes, whole and in ranges', async () => {
      const me = someAccount();
      const bytes = bytesOf(3 * MIB);
      const { asset, created } = valueOf(await upload(bytes, me));
      expect(created).toBe(true);
      // A signed URL is a fresh one in each answer.
      const signedUrl = { url: expect.stringContaining('/api/v2/signed/'), expiresAt: expect.any(String) };
      const record = { ok: true, value: { ...asset, signedUrl } };
      expect(await assets.get(me, asset.id)).toEqual(record);
      expect(await local.assets.get(me, asset.id)).toEqual(record);
      expect(await assets.content(me, asset.id)).toEqual(record);
      const objectKey = /signed\/([^?]+)/.exec(asset.signedUrl!.url)![1]!;
      expect(await assets.stored(objectKey)).toEqual({
        ok: true,
        value: { hash: asset.hash, sizeBytes: bytes.length },
      });
      const stored = valueOf(await assets.storedBytes(objectKey, { start: 10, end: 19 }));
      expect((await buffer(stored)).equals(bytes.subarray(10, 20))).toBe(true);
      const none = newUuid();
      expect(await assets.stored(none)).toMatchObject({ rejection: { code: 'forbidden' } });
      expect(await assets.storedBytes(none)).toMatchObject({ rejection: { code: 'forbidden' } });
      expect((await buffer(valueOf(await assets.bytes(me, asset.id)))).equals(bytes)).toBe(true);
      const part = valueOf(await assets.bytes(me, asset.id, { start: 1_000, end: 2_000_000 }));
      expect((await buffer(part)).equals(bytes.subarray(1_000, 2_000_001))).toBe(true);
      const unread = valueOf(await assets.bytes(me, asset.id));
      unread.destroy();
      await once(unread, 'close');
      expect(await assets.canMint(me, asset.hash)).toBe(true);
      const mint = { hash: asset.hash, filePath: 'b.png', tags: ['a'], expiresIn: null };
      expect(valueOf(await assets.mintFromHash(me, mint))).toMatchObject({ created: true, asset: { tags: ['a'] } });
      const stranger = someAccount();
      expect(await assets.missing(stranger, [asset.id])).toEqual([asset.id]);
      expect(await assets.content(stranger, asset.id)).toMatchObject({ rejection: { code: 'not_found' } });
      expect(await assets.bytes(stranger, asset.id)).toMatchObject({ rejection: { code: 'not_found' } });
      expect(await assets.delete(me, asset.id)).toEqual({ ok: true, value: null });
      expect(await assets.delete(me, asset.id)).toMatchObject({ ok: false, rejection: { code: 'not_found' } });
      expect(await assets.bytes(me, asset.id)).toMatchObject({ ok: false, rejection: { code: 'not_found' } });
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

    it('judges what a client wrote character by character, and returns it as it was written', async () => {
      const me = someAccount();
      const { hash } = valueOf(await upload(bytesOf(10), me)).asset;
      const mint = { hash, filePath: 'ok.png', tags: [], expiresIn: null };
      for (const wrong of [{ filePath: 'half \ud83c.png' }, { tags: ['\udf9e'] }, { expiresIn: 60.5 }]) {
        expect(await assets.mintFromHash(me, { ...mint, ...wrong })).toMatchObject({
          rejection: { code: 'invalid_request' },
        });
      }
      const ids = ['half \ud83c', 'no id'] as AssetId[];
      expect(await assets.hold(me, newUuid() as JobId, { ids, names: ['half \ud83c'] })).toMatchObject({
        rejection: { code: 'missing_asset', details: { missing_ids: ids } },
      });
      expect(await assets.missing(me, ids)).toEqual(ids);
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
      expect((await buffer(await worker.openInput(lease, asset.id))).equals(bytes)).toBe(true);
      const other = valueOf(await upload(bytes, me, { ...FIELDS, file_path: 'other.png' })).asset;
      await expect(worker.openInput(lease, other.id)).rejects.toThrow();
      expect(await assets.delete(me, asset.id)).toMatchObject({ rejection: { code: 'asset_in_use' } });
      await assets.releaseHolds(jobId);
      const unknown = newUuid() as AssetId;
      expect(await assets.hold(me, jobId, { ids: [unknown], names: [] })).toMatchObject({
        ok: false,
        rejection: { code: 'missing_asset', details: { missing_ids: [unknown] } },
      });
    });

    it('takes the decisions of an operator on bytes by their hash, and tells them', async () => {
      const me = someAccount();
      const { asset } = valueOf(await upload(bytesOf(77), me));
      const { hash } = asset;
      const undecided = { hash, blocked: false, held: false, source: null, decidedAt: null };
      expect(await ports.moderation.verdict(hash)).toEqual({ ok: true, value: undecided });
      const states = [];
      for (const decision of ['hold', 'block', 'release', 'unblock'] as const) {
        const { blocked, held, source, decidedAt } = valueOf(await ports.moderation.decide(hash, decision));
        states.push([blocked, held, source, (await assets.content(me, asset.id)).ok]);
        expect(valueOf(await ports.moderation.verdict(hash))).toEqual({ hash, blocked, held, source, decidedAt });
      }
      expect(states).toEqual([
        [false, true, 'admin', true],
        [true, true, 'admin', false],
        [true, false, 'admin', false],
        [false, false, 'admin', true],
      ]);
      const refused = {
        ok: false,
        rejection: { code: 'invalid_request', details: { fields: { hash: expect.any(String) as string } } },
      };
      expect(await ports.moderation.decide('no hash', 'block')).toMatchObject(refused);
      expect(await ports.moderation.verdict('no hash')).toMatchObject(refused);
    });

    it('gives a worker no blocked input, and says so before the job runs', async () => {
      const me = someAccount();
      const { asset } = valueOf(await upload(bytesOf(500), me));
      const jobId = newUuid() as JobId;
      valueOf(await assets.hold(me, jobId, { ids: [asset.id], names: [] }));
      holder = holderOf(me);
      const lease = { jobId, fence: 1, workerId: 'worker-a' };
      expect(await worker.blockedInputs(lease)).toEqual([]);
      valueOf(await ports.moderation.decide(asset.hash, 'block'));
      expect(await worker.blockedInputs(lease)).toEqual([asset.id]);
      const refusal: unknown = await worker.openInput(lease, asset.id).catch((error: unknown) => error);
      const { name, code } = refusal as { readonly name: string; readonly code?: string };
      expect([name, code]).toContain(INPUT_BLOCKED);
      await expect(worker.blockedInputs({ ...lease, workerId: 'worker-b' })).rejects.toThrow();
    });

    it('takes outputs of workers, and refuses those that are too large before their end', async () => {
      const principal = someAccount();
      const lease = { jobId: newUuid() as JobId, fence: 3, workerId: 'worker-a' };
      holder = holderOf(principal);
      const committed = await worker.commitOutput(lease, outputOf(Readable.from([bytesOf(MIB)])));
      expect(committed).toMatchObject({ sizeBytes: MIB, hash: expect.stringMatching(/^blake3:/) as string });
      expect(await assets.get(principal, committed.assetId)).toMatchObject({ value: { jobId: lease.jobId } });
      const chunk = bytesOf(64 * 1024);
      const endless = new Readable({ read: () => void endless.push(chunk) });
      await expect(worker.commitOutput(lease, outputOf(endless))).rejects.toThrow(String(4 * MIB));
      endless.destroy();
    });
  });
}
