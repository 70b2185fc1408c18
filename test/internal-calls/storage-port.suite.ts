import { Readable } from 'node:stream';
import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, AssetsPort, Principal, StoragePort } from '@heddle/contracts-messages';
import { expect, it } from 'vitest';
import { MULTIPART, multipartFrame } from './assets-under-test.js';
import { someAccount } from './jobs-under-test.js';

/** StoragePort, directly and over gRPC. `assets`: of the same service. */
export function itLimitsStorage(storage: () => StoragePort, assets: () => AssetsPort): void {
  async function upload(me: Principal, bytes: string): Promise<string> {
    const { head, tail } = multipartFrame({ content_type: 'image/png', file_path: `${newUuid()}.png` });
    const body = Readable.from([head, Buffer.from(bytes), tail]);
    const answer = await assets().upload(me, { contentType: MULTIPART, idempotencyKey: null, body });
    return answer.ok ? 'accepted' : answer.rejection.code;
  }

  it('answers what accounts store, each hash once, and leaves out accounts without records', async () => {
    const [me, other, nobody] = [someAccount(), someAccount(), someAccount()];
    for (const bytes of ['x'.repeat(100), 'x'.repeat(100), 'y'.repeat(10)]) await upload(me, bytes);
    await upload(other, 'z');
    const asked = [me, other, nobody].map(({ accountId }) => accountId);
    const stored = new Map([
      [me.accountId, 110],
      [other.accountId, 1],
    ]);
    expect(await storage().storedBy(asked)).toEqual(stored);
    expect(await storage().storedBy([])).toEqual(new Map());
    const thousand = Array.from({ length: 1_000 }, () => newUuid() as AccountId);
    expect(await storage().storedBy(thousand)).toEqual(new Map());
  });

  it('limits what an account stores, also to nothing, until there is no limit', async () => {
    const me = someAccount();
    await storage().limitAccount(me.accountId, 0, 1);
    expect(await upload(me, 'a')).toBe('payload_too_large');
    await storage().limitAccount(me.accountId, 1, 2);
    expect([await upload(me, 'a'), await upload(me, 'b')]).toEqual(['accepted', 'payload_too_large']);
    await storage().limitAccount(me.accountId, null, 3);
    expect(await upload(me, 'b')).toBe('accepted');
  });

  it('passes by a change that comes late, and takes one twice', async () => {
    const me = someAccount();
    for (let n = 0; n < 2; n += 1) await storage().limitAccount(me.accountId, 0, 7);
    await storage().limitAccount(me.accountId, null, 6);
    expect(await upload(me, 'a')).toBe('payload_too_large');
  });
}
