import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assetReference, blake3Of, eventually, freshPicture, loadGraph } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from './expectations.js';
import { fillSlots, ownServer, useServer } from './server.js';

/** "Within 5 s of a change", and a busy machine. */
const LIST_MS = 15_000;

describe.runIf(ownServer)('bytes that moderation decides on', () => {
  const settings: Record<string, string> = {};
  let folder: string;
  const scanned: string[] = [];
  const blocked = new Set<string>();
  const scanner = createServer((request, response) => {
    const hash = String(request.headers['x-heddle-hash']);
    scanned.push(hash);
    request.resume();
    response.end(JSON.stringify({ verdict: blocked.has(hash) ? 'blocked' : 'clean' }));
  });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-moderation-'));
    scanner.listen(0, '127.0.0.1');
    await once(scanner, 'listening');
    settings['HEDDLE_MODERATION_HASHES'] = join(folder, 'hashes.txt');
    settings['HEDDLE_MODERATION_URL'] = `http://127.0.0.1:${(scanner.address() as AddressInfo).port}/scan`;
    await writeFile(settings['HEDDLE_MODERATION_HASHES'], '');
  });
  const server = useServer(settings, { alone: true });
  afterAll(async () => {
    scanner.closeAllConnections();
    scanner.close();
    await rm(folder, { recursive: true });
  });

  const picture = async (): Promise<{ readonly id: string; readonly hash: string }> => {
    const bytes = freshPicture();
    const { id } = await server.client.uploaded({ bytes, content_type: 'image/png' });
    return { id, hash: blake3Of(bytes) };
  };
  const isGone = async (id: string): Promise<boolean> => (await server.client.content(id)).status === 404;

  it('are gone for clients once a line blocks them, and a job that waits with them fails (decisions, Moderation)', async () => {
    const { id, hash } = await picture();
    // The engine has the bytes from this job.
    const before = await server.client.submitted(loadGraph(assetReference(id)));
    await server.client.reached(before.id, 'succeeded');
    const release = await fillSlots(server);
    const waiting = await server.client.submitted(loadGraph(assetReference(id)));
    await writeFile(settings['HEDDLE_MODERATION_HASHES']!, `${hash}\n`);
    await eventually('the block of a listed hash', async () => await isGone(id), LIST_MS);
    await release();
    const failed = await server.client.reached(waiting.id, 'failed');
    expect(failed.error).toMatchObject({ code: 'engine_error', node_id: null });
    expect(failed.error?.message).toContain('moderation');
    expect((await server.client.headByHash(hash)).status).toBe(404);
    expectRefusal(await server.client.fromHash({ hash }), 404, 'blob_not_found');
    expectRefusal(await server.client.submit(loadGraph(assetReference(id))), 422, 'missing_asset');
  });

  it('are sent to the scanner once, whose answer blocks them [UP24]', async () => {
    const bytes = freshPicture();
    blocked.add(blake3Of(bytes));
    const [clean, bad] = [await picture(), await server.client.uploaded({ bytes, content_type: 'image/png' })];
    await eventually('the block by the scanner', async () => await isGone(bad.id));
    await eventually('the scan of the other upload', () => scanned.includes(clean.hash));
    expectRefusal(
      await server.client.upload({ bytes, content_type: 'image/png', file_path: 'a.png' }),
      422,
      'input_blocked',
    );
    expect((await server.client.content(clean.id)).status).toBe(200);
    await server.client.uploaded({ bytes: freshPicture() });
    expect(scanned.filter((hash) => [clean.hash, blake3Of(bytes)].includes(hash))).toHaveLength(2);
  });
});
