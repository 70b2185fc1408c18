import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newBlobKey } from '@heddle/platform-blob-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import { PendingSweep } from './pending-sweep.js';
import { UploadSweep } from './upload-sweep.js';

const HOUR_MS = 3_600_000;

describe('what nobody finished', () => {
  let registry: ManagedRegistry;
  let token: string;
  const statusOf = async (version: string): Promise<string> =>
    (await registry.call('GET', `/nodes/pack-a/versions/${version}`, token)).body.status;

  beforeAll(async () => {
    registry = await ManagedRegistry.open({ pendingMs: 60_000, uploadMs: 2 * HOUR_MS });
    token = await registry.publisher('acme', 'key-ann', { expires_in: 1_000_000 });
  });
  afterAll(() => registry.close());

  it('is deleted if it is a version without bytes, its URL is void, and its number stays open', async () => {
    const first = (await registry.publish('acme', 'pack-a', '1.0.0', token)).body;
    await registry.active('acme', 'pack-a', '0.9.0', token);
    const sweep = registry.app.get(PendingSweep);
    await sweep.run();
    expect(await statusOf('1.0.0')).toBe('NodeVersionStatusPending');
    await registry.database.advanceClock(61_000);
    await registry.publish('acme', 'pack-a', '1.1.0', token);
    await sweep.run();
    expect(await statusOf('1.0.0')).toBe('NodeVersionStatusDeleted');
    expect(await statusOf('1.1.0')).toBe('NodeVersionStatusPending');
    expect(await statusOf('0.9.0')).toBe('NodeVersionStatusActive');
    expect((await registry.upload(first.signedUrl)).body.error).toBe('invalid_signature');

    // Published again it has its full time, although the number is old.
    const again = (await registry.publish('acme', 'pack-a', '1.0.0', token)).body;
    expect(again.node_version.id).toBe(first.node_version.id);
    await sweep.run();
    expect(await statusOf('1.0.0')).toBe('NodeVersionStatusPending');
    expect((await registry.upload(again.signedUrl)).status).toBe(200);
  });

  it('is deleted if it is bytes of an upload that a crash cut off, and nothing younger', async () => {
    const [old, young] = [newBlobKey(), newBlobKey()];
    for (const blob of [old, young]) {
      const writer = await registry.store.write(blob);
      await writer.write(Buffer.from('x'));
      await writer.finish();
    }
    const insert = 'insert into registry.upload (blob) values ($1)';
    await registry.database.owner.query(insert, [old]);
    const uploads = join(registry.folder, 'uploads');
    await mkdir(uploads, { recursive: true });
    for (const name of ['old.upload', 'young.upload']) await writeFile(join(uploads, name), 'x');
    await utimes(join(uploads, 'old.upload'), 0, (Date.now() - 2 * HOUR_MS) / 1_000);
    await registry.database.advanceClock(61_000 + HOUR_MS);
    await registry.database.owner.query(insert, [young]);

    await registry.app.get(UploadSweep).run();
    expect(await registry.store.stat(old)).toBeNull();
    expect(await registry.store.stat(young)).not.toBeNull();
    const { rows } = await registry.database.owner.query('select blob from registry.upload');
    expect(rows).toEqual([{ blob: young }]);
    expect(await readdir(uploads)).toEqual(['young.upload']);
  });
});
