import type { MethodDefinition } from '@grpc/grpc-js';
import type { Answer, AssetsPort, AssetView, JobInput, MintedAsset, MintRequest } from '@heddle/contracts-messages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AssetsServiceService } from '../generated/heddle/assets/v1/assets.js';
import { AssetsController } from './assets.controller.js';
import { RemoteAssets } from './remote-assets.js';

/** Any UTF-16 text, including lone surrogates and control characters. */
const text = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map((u) => String.fromCharCode(...u));
/** A text as the database returns it: without lone surrogates. */
const stored = text.map((one) => one.toWellFormed());
const id = fc.uuid() as unknown as fc.Arbitrary<never>;
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);
const size = fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 2 ** 32, Number.MAX_SAFE_INTEGER));
const rejection = fc.record(
  {
    code: fc.constantFrom('not_found', 'asset_in_use'),
    message: stored,
    details: fc.dictionary(text, fc.array(text), { maxKeys: 3 }),
    retryAfterSeconds: fc.nat(),
  },
  { requiredKeys: ['code', 'message'] },
);
function answer<T>(value: fc.Arbitrary<T>): fc.Arbitrary<Answer<T>> {
  const refused = fc.record({ ok: fc.constant(false), rejection });
  return fc.oneof(fc.record({ ok: fc.constant(true), value }), refused) as unknown as fc.Arbitrary<Answer<T>>;
}
const asset = fc.record({
  id,
  accountId: id,
  hash: stored,
  sizeBytes: size,
  contentType: stored,
  filePath: stored,
  tags: fc.array(stored, { maxLength: 3 }),
  createdAt: stored,
  expiresAt: maybe(stored),
  jobId: maybe(id),
  signedUrl: maybe(fc.record({ url: stored, expiresAt: stored })),
}) as fc.Arbitrary<AssetView>;
const minted = fc.record({ asset, created: fc.boolean() }) as fc.Arbitrary<MintedAsset>;
const input = fc.record({ assetId: id, hash: stored, sizeBytes: size, filePath: stored, name: maybe(stored) });
const mint = fc.record({
  hash: stored,
  filePath: maybe(text),
  tags: fc.array(text, { maxLength: 3 }),
  expiresIn: maybe(fc.double({ noNaN: true })),
}) as fc.Arbitrary<MintRequest>;
const principal = fc.record({ accountId: id, deploymentId: id });

/** Connects the client to the controller through encoded messages, without a network. */
function across(port: Partial<AssetsPort>): RemoteAssets {
  const controller = new AssetsController(port as AssetsPort);
  const call = async (method: MethodDefinition<unknown, unknown>, request: unknown): Promise<unknown> => {
    const name = Object.entries(AssetsServiceService).find(([, { path }]) => path === method.path)![0];
    const serve = Reflect.get(controller, name) as (request: unknown) => Promise<unknown>;
    const response = await serve.call(controller, method.requestDeserialize(method.requestSerialize(request)));
    return method.responseDeserialize(method.responseSerialize(response));
  };
  return new RemoteAssets({ call } as never, {} as never);
}

async function survives<T>(arbitrary: fc.Arbitrary<T>, judge: (value: T) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(arbitrary, judge), { numRuns: 60 });
}

describe('what a gateway and the assets service say to each other', () => {
  it('is taken as it was said: what a client wishes, character by character', async () => {
    await survives(fc.tuple(principal, mint, answer(minted)), async ([me, request, reply]) => {
      let given: unknown;
      const port = across({ mintFromHash: (...all) => ((given = all), Promise.resolve(reply)) });
      expect(await port.mintFromHash(me, request)).toEqual(reply);
      expect(given).toEqual([me, request]);
    });
    const wanted = fc.record({ ids: fc.array(text), names: fc.array(text) }) as fc.Arbitrary<never>;
    await survives(fc.tuple(principal, id, wanted, answer(fc.array(input))), async ([me, jobId, wishes, reply]) => {
      let given: unknown;
      const port = across({ hold: (...all) => ((given = all), Promise.resolve(reply as Answer<JobInput[]>)) });
      expect(await port.hold(me, jobId, wishes)).toEqual(reply);
      expect(given).toEqual([me, jobId, wishes]);
    });
    await survives(fc.tuple(principal, fc.array(text)), async ([me, ids]) => {
      const port = across({ missing: (_, asked) => Promise.resolve(asked) });
      expect(await port.missing(me, ids as never)).toEqual(ids);
    });
  });

  it('has no URL from an assets service of a build that signed none', async () => {
    const [value] = fc.sample(minted, 1);
    const { signedUrl: _, ...asset } = value!.asset;
    const upload = (): Promise<unknown> => Promise.resolve({ ok: true, value: { ...value, asset } });
    const port = new RemoteAssets({} as never, { upload } as never);
    const answered = await port.upload({} as never, {
      contentType: undefined,
      idempotencyKey: null,
      body: {} as never,
    });
    expect(answered).toEqual({ ok: true, value: { ...value, asset: { ...asset, signedUrl: null } } });
  });

  it('is answered as it was meant: records, refusals and truth values', async () => {
    await survives(fc.tuple(principal, id, answer(asset)), async ([me, assetId, reply]) => {
      const port = across({ get: () => Promise.resolve(reply), content: () => Promise.resolve(reply) });
      expect([await port.get(me, assetId), await port.content(me, assetId)]).toEqual([reply, reply]);
    });
    await survives(fc.tuple(principal, id, answer(fc.constant(null)), fc.boolean()), async ([me, one, reply, can]) => {
      const port = across({ delete: () => Promise.resolve(reply), canMint: () => Promise.resolve(can) });
      expect(await port.delete(me, one)).toEqual(reply);
      expect(await port.canMint(me, 'x')).toBe(can);
    });
  });

  it('names stored bytes by their object, or says why not', async () => {
    const facts = fc.record({ hash: stored, sizeBytes: size });
    await survives(fc.tuple(id, answer(facts)), async ([objectKey, reply]) => {
      let given: unknown;
      const port = across({ stored: (...all) => ((given = all), Promise.resolve(reply)) });
      expect(await port.stored(objectKey)).toEqual(reply);
      expect(given).toEqual([objectKey]);
    });
  });

  it('names no asset, job or principal that is none', async () => {
    const port = across({});
    const me = { accountId: 'x', deploymentId: 'y' } as never;
    const malformed = { status: 3, code: 'malformed' };
    await expect(port.get(me, 'x' as never)).rejects.toMatchObject(malformed);
    await expect(port.releaseHolds('x' as never)).rejects.toMatchObject(malformed);
  });
});
