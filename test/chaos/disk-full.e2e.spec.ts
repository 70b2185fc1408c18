import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, freshBytes, HeddleClient } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownerPool } from './examine.ts';
import { PATIENCE_MS } from './heddle-under-fire.ts';

const MEBIBYTE = 1024 * 1024;
const DISK_MIB = 8;
const mountArguments = ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs'];

/** Why no small disk can be had here; null where it can. */
function whyNoDisk(): string | null {
  if (process.getuid?.() !== 0) return 'only root may mount a small disk';
  const folder = mkdtempSync(join(tmpdir(), 'heddle-small-'));
  try {
    execFileSync('mount', [...mountArguments, folder], { stdio: 'pipe' });
    execFileSync('umount', [folder], { stdio: 'pipe' });
    return null;
  } catch (error) {
    return `no small disk can be mounted: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const skipped = whyNoDisk();
const title = `a disk for blobs of ${DISK_MIB} MiB that is full`;

describe.runIf(skipped === null)(
  skipped === null ? title : `${title} (skipped: ${skipped})`,
  { timeout: PATIENCE_MS },
  () => {
    let dataDir: string;
    let disk: string;
    let heddle: Standalone;
    let client: HeddleClient;
    let mounted = false;
    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'heddle-disk-'));
      disk = await mkdtemp(join(tmpdir(), 'heddle-small-'));
      execFileSync('mount', [...mountArguments, disk]);
      mounted = true;
      await symlink(disk, join(dataDir, 'blobs'));
      heddle = await startStandalone({ dataDir, env: { HEDDLE_LOG_LEVEL: 'info', HEDDLE_ASSET_SWEEP_S: '0.1' } });
      client = await HeddleClient.connect(heddle.url);
    });
    afterAll(async () => {
      await heddle?.stop();
      if (mounted) execFileSync('umount', [disk]);
      await rm(disk, { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    });

    const upload = (bytes: Buffer, key?: string) => {
      const form = { bytes, content_type: 'application/octet-stream', file_path: 'some.bin' };
      return client.upload(form, key === undefined ? {} : { key });
    };
    const files = async (): Promise<string[]> => {
      const entries = await readdir(disk, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    };
    const rows = async (): Promise<unknown> => {
      const owner = ownerPool(dataDir);
      const counts = ['asset', 'blob', 'upload', 'idempotency_key', 'delete_task'].map(
        (table) => `(select count(*)::int from assets.${table}) as ${table}`,
      );
      return (await owner.query(`select ${counts.join(', ')}`).finally(() => owner.end())).rows[0];
    };

    it('answers an upload with 500 upstream_error and leaves nothing of it behind', async () => {
      const before = [await rows(), await files()];
      const free = await statfs(disk);
      const answer = await upload(freshBytes(free.bavail * free.bsize + MEBIBYTE), 'too-much');
      expect([answer.status, codeOf(answer)]).toEqual([500, 'upstream_error']);
      expect(answer.bytes.toString()).not.toMatch(/ENOSPC|heddle-small/);
      expect([await rows(), await files()]).toEqual(before);
    });

    it('refuses even a small upload while it is full, and still reads what it has', async () => {
      const kept = await upload(freshBytes(1024));
      expect(kept.status).toBe(201);
      const { bavail, bsize } = await statfs(disk);
      await writeFile(join(disk, 'ballast'), Buffer.alloc(bavail * bsize)).catch(() => undefined);
      const before = [await rows(), await files()];
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, at) => upload(freshBytes(64 * 1024), `full-${at}`)),
      );
      expect(new Set(answers.map((answer) => `${answer.status} ${codeOf(answer)}`))).toEqual(
        new Set(['500 upstream_error']),
      );
      expect([await rows(), await files()]).toEqual(before);
      const { id } = JSON.parse(kept.bytes.toString()) as { id: string };
      expect((await client.content(id)).status).toBe(200);
    });

    it('takes uploads again once space is free, under the same keys', async () => {
      await rm(join(disk, 'ballast'));
      const bytes = freshBytes(64 * 1024);
      const answer = await upload(bytes, 'full-0');
      expect(answer.status).toBe(201);
      const { id } = JSON.parse(answer.bytes.toString()) as { id: string };
      expect((await client.content(id)).bytes.equals(bytes)).toBe(true);
    });
  },
);
