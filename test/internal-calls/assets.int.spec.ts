import { Readable } from 'node:stream';
import { RemoteAssets, RemoteWorkerAssets, WORKER_BYTES } from '@heddle/internal-api';
import { newUuid } from '@heddle/contracts-messages';
import type { AssetsPort, JobId, LeaseHolder } from '@heddle/contracts-messages';
import { assetBytes, servedAssets, workerAssetBytes } from '@heddle/internal-api/serve';
import type { BytesClient } from '@heddle/platform-service-calls/bytes';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { ServedCalls } from '@heddle/platform-service-calls/serve';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASSET_LIMITS, bytesOf, holderOf, outputOf } from './asset-ports.suite.js';
import { assetsDatabase, openAssets } from './assets-under-test.js';
import type { AssetsUnderTest } from './assets-under-test.js';
import { tokenOf } from './call-servers.js';
import { bytesTo, channelTo, servingCalls } from './grpc-servers.js';
import { someAccount } from './jobs-under-test.js';
import { describeRefusals } from './refused-calls.suite.js';

describeRefusals('assets', servedAssets({} as AssetsPort)[0]!);

describe('the assets service over the wire', () => {
  let db: TestDatabase;
  let local: AssetsUnderTest;
  let server: ServedCalls;
  const clients: (BytesClient | ServiceChannel)[] = [];
  /** The holder of every lease */
  let holder: LeaseHolder | null = null;
  beforeAll(async () => {
    db = await assetsDatabase();
    local = await openAssets(db, ASSET_LIMITS, { holderOf: async () => await Promise.resolve(holder) });
    const bytes = [...assetBytes(local.assets), ...workerAssetBytes(local.workerAssets)];
    server = await servingCalls(servedAssets(local.assets), { bytes });
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server.close();
    await local.end();
    await db.drop();
  });

  function clientTo(service: string, deployment: string | null = null): BytesClient {
    const client = bytesTo('assets', [server.url], { token: tokenOf(service, deployment) });
    clients.push(client);
    return client;
  }
  function channelOf(service: string): ServiceChannel {
    const channel = channelTo('assets', [server.url], { token: tokenOf(service) });
    clients.push(channel);
    return channel;
  }

  it('opens to a token of one deployment only what is of that deployment', async () => {
    const principal = someAccount();
    const lease = { jobId: newUuid() as JobId, fence: 3, workerId: 'worker-a' };
    const output = () => outputOf(Readable.from([bytesOf(64 * 1024)]));
    holder = { ...holderOf(principal), workerId: `worker-a@${principal.deploymentId}` };
    const other = new RemoteWorkerAssets(clientTo('worker', someAccount().deploymentId));
    await expect(other.commitOutput(lease, output())).rejects.toMatchObject({ status: 403 });
    const own = new RemoteWorkerAssets(clientTo('worker', principal.deploymentId));
    const committed = await own.commitOutput(lease, output());
    expect(committed).toMatchObject({ sizeBytes: 64 * 1024 });
    const asWorker = new RemoteAssets(channelOf('worker'), clientTo('worker'));
    await expect(asWorker.get(principal, committed.assetId)).rejects.toMatchObject({ status: 403 });
    await expect(asWorker.bytes(principal, committed.assetId)).rejects.toMatchObject({ status: 403 });
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
    const { commitOutput: path } = WORKER_BYTES;
    const upload = clientTo('worker').upload({ path, head, body: Readable.from([bytesOf(10)]) });
    await expect(upload).rejects.toMatchObject({ name: 'CallRefusedError', status: 400, code: 'malformed' });
    expect(await local.files()).toEqual(files);
  });

  it.each([null, 7, [newUuid()], { length: 36 }])('opens no input by %j', async (assetId) => {
    holder = holderOf(someAccount());
    const head = { lease: { jobId: newUuid(), fence: 3 }, workerId: 'worker-a', assetId };
    const opening = clientTo('worker').download({ path: WORKER_BYTES.openInput, head });
    await expect(opening).rejects.toMatchObject({ name: 'CallRefusedError', status: 400, code: 'malformed' });
  });
});
