import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  assetReference,
  blake3Of,
  eventually,
  freshPicture,
  HeddleClient,
  isTerminalFrame,
  loadGraph,
  sleepingGraph,
  withoutUrlExpiry,
} from '@heddle/testing-api';
import type { Asset, Job } from '@heddle/testing-api';

import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_TIMEOUT_MS } from '../chaos/heddle-under-fire.js';

/** Long enough to run a job and open its stream after the submission. */
const RETENTION_S = 10;
const SHORT = { HEDDLE_JOB_RETENTION_S: String(RETENTION_S), HEDDLE_UPLOAD_RETENTION_S: String(RETENTION_S) };
const SETTINGS = {
  HEDDLE_TEST_NODES: '1',
  HEDDLE_BLOB_GRACE_S: '0.2',
  HEDDLE_ASSET_SWEEP_S: '0.2',
  HEDDLE_LEASE_S: '2',
};

/** One user from the first upload to the last trace, with a kill and a stop in between. The parts build on each other. */
describe('a user with a picture', { timeout: TEST_TIMEOUT_MS }, () => {
  let first: Standalone;
  let heddle: Standalone;
  let client: HeddleClient;
  const picture = freshPicture(64, 48);
  let photo: Asset;
  let done: Job;
  let canceled: Job;
  let interrupted: Job;

  beforeAll(async () => {
    first = heddle = await startStandalone({ env: SETTINGS });
    client = await HeddleClient.connect(heddle.url);
  });
  afterAll(async () => {
    await heddle?.stop();
    await first?.stop();
  });
  const restart = async (how: 'terminate' | 'kill9', changed: Readonly<Record<string, string>> = {}): Promise<void> => {
    await heddle[how]();
    heddle = await startStandalone({ env: { ...SETTINGS, ...changed }, dataDir: first.dataDir, port: first.port });
  };

  it('uploads it, and mints a second name for it from its hash', async () => {
    photo = await client.uploaded({ bytes: picture, content_type: 'image/png', file_path: 'photos/lake.png' });
    expect(photo.hash).toBe(blake3Of(picture));
    const body = { hash: photo.hash, file_path: 'photos/again.png', content_type: 'image/png' };
    const minted = await client.fromHash(body);
    expect(minted.status).toBe(201);
    const { id } = JSON.parse(minted.bytes.toString()) as Asset;
    expect((await client.deleteAsset(id)).status).toBe(204);
    expect((await client.content(photo.id)).bytes.equals(picture)).toBe(true);
  });

  it('runs a graph over it and watches: outputs come before the end, the end is the last frame', async () => {
    const job = await client.submitted(loadGraph(assetReference(photo.id)));
    const stream = await client.events(job.id);
    const frames = await stream.all(20_000);
    const kinds = frames.map(({ event }) => event);
    expect(kinds[0]).toBe('status');
    expect(frames.findIndex(isTerminalFrame)).toBe(frames.length - 1);
    expect(kinds.indexOf('output')).toBeGreaterThan(0);
    done = await client.jobNow(job.id);
    expect(done.status).toBe('succeeded');
    expect(frames.at(-1)?.data['status']).toBe('succeeded');
  });

  it('cancels another one that runs', async () => {
    const job = await client.submitted(sleepingGraph(60));
    const stream = await client.events(job.id);
    await stream.until('its first output', ({ event }) => event === 'output');
    expect(['canceling', 'canceled']).toContain(
      (JSON.parse((await client.cancel(job.id)).bytes.toString()) as Job).status,
    );
    const frames = await stream.all(20_000);
    expect(frames.at(-1)?.data['status']).toBe('canceled');
    canceled = await client.jobNow(job.id);
    expect(canceled.status).toBe('canceled');
  });

  it('fetches the outputs, whole and in ranges', async () => {
    const [output] = done.outputs;
    const { id, size_bytes: size, hash } = output!;
    const whole = await client.content(id);
    expect(whole.bytes).toHaveLength(size);
    expect(blake3Of(whole.bytes)).toBe(hash);
    const middle = Math.floor(size / 2);
    const parts = [`bytes=0-${middle - 1}`, `bytes=${middle}-`];
    const [head, tail] = await Promise.all(parts.map((range) => client.content(id, { range })));
    expect([head?.status, tail?.status]).toEqual([206, 206]);
    expect(Buffer.concat([head!.bytes, tail!.bytes]).equals(whole.bytes)).toBe(true);
    const last = await client.content(id, { range: 'bytes=-4' });
    expect(last.bytes.equals(whole.bytes.subarray(-4))).toBe(true);
  });

  it('finds everything after a kill, and the job that ran goes on to its end', async () => {
    interrupted = await client.submitted(sleepingGraph(0.5));
    await eventually('its first output', async () => (await client.jobNow(interrupted.id)).outputs.length > 0);
    const before = await client.jobNow(done.id);
    await restart('kill9');
    expect(withoutUrlExpiry(await client.jobNow(done.id))).toEqual(withoutUrlExpiry(before));
    expect((await client.content(photo.id)).bytes.equals(picture)).toBe(true);
    interrupted = await client.reached(interrupted.id, 'succeeded');
    expect(interrupted.outputs.map(({ node_id }) => node_id)).toEqual(['2', '4']);
  });

  it('finds the same after an orderly stop', async () => {
    const before = await client.jobPage();
    await restart('terminate');
    const after = await client.jobPage();
    expect(after.jobs).toEqual(before.jobs);
    const stream = await client.events(interrupted.id);
    expect((await stream.all()).map(({ event }) => event)).toEqual(['progress', 'output', 'output', 'status']);
  });

  it('finds nothing of what was made under a short retention once it is over, and the rest still', async () => {
    await restart('terminate', SHORT);
    const bytes = freshPicture(32, 24);
    const asset = await client.uploaded({ bytes, content_type: 'image/png', file_path: 'photos/brief.png' });
    const job = await client.submitted(loadGraph(assetReference(asset.id)));
    const stream = await client.events(job.id);
    const output = await stream.until('an output', ({ event }) => event === 'output');
    const [outputId, outputHash] = [String(output.data['id']), String(output.data['hash'])];
    await eventually('the end of the retention', async () => (await client.asset(asset.id)).status === 404);
    await eventually('the end of the job', async () => (await client.job(job.id)).status === 404);
    const gone = await Promise.all([
      ...[client.job(job.id), client.workflow(job.id), client.cancel(job.id)],
      ...[asset.id, outputId].flatMap((id) => [client.asset(id), client.content(id)]),
      ...[asset.hash!, outputHash].map((hash) => client.headByHash(hash)),
    ]);
    expect(gone.map(({ status }) => status)).toEqual(gone.map(() => 404));
    expect((await client.jobPage()).jobs.map(({ id }) => id)).not.toContain(job.id);
    expect((await client.jobNow(done.id)).status).toBe('succeeded');
    expect((await client.content(photo.id)).bytes.equals(picture)).toBe(true);
  });

  it('has the space of it back: the files are those of what is kept', async () => {
    const kept = new Set([
      photo.hash,
      ...[...done.outputs, ...canceled.outputs, ...interrupted.outputs].map(({ hash }) => hash),
    ]);
    const folder = join(first.dataDir, 'blobs');
    const hashes = async (): Promise<string[]> => {
      const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
      return Promise.all(files.map(async (file) => blake3Of(await readFile(join(file.parentPath, file.name)))));
    };
    await eventually('the bytes to be removed', async () => {
      // A file may disappear between the listing and the read.
      const found = await hashes().catch(() => []);
      return new Set(found).symmetricDifference(kept).size === 0;
    });
  });
});
