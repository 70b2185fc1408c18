import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, eventually, freshBytes, HeddleClient, pictureGraph, textGraph } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownerPool } from './examine.ts';
import { TEST_TIMEOUT_MS } from './heddle-under-fire.ts';

const MEBIBYTE = 1024 * 1024;
const DISK_MIB = 8;
/** The embedded PostgreSQL uses about 80 MiB of it. */
const WHOLE_DISK_MIB = 224;
const mountArguments = (mebibytes: number): string[] => ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=711`, 'tmpfs'];

/** Why no small disk can be mounted here; null if it can. */
function whyNoDisk(): string | null {
  if (process.getuid?.() !== 0) return 'only root may mount a small disk';
  const folder = mkdtempSync(join(tmpdir(), 'heddle-small-'));
  try {
    execFileSync('mount', [...mountArguments(DISK_MIB), folder], { stdio: 'pipe' });
    execFileSync('umount', [folder], { stdio: 'pipe' });
    return null;
  } catch (error) {
    return `no small disk can be mounted: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const skipped = whyNoDisk();

interface Degraded {
  readonly ready: boolean;
  readonly degraded: readonly { readonly name: string; readonly reason: string }[];
}

async function readiness({ opsUrl }: Standalone): Promise<Degraded & { readonly status: number }> {
  const answer = await fetch(`${opsUrl}/readyz`);
  return { status: answer.status, ...((await answer.json()) as Degraded) };
}

async function diskReason(heddle: Standalone): Promise<string | null> {
  return (await readiness(heddle)).degraded.find(({ name }) => name === 'disk')?.reason ?? null;
}

async function freeBytesOf(heddle: Standalone, folder: string): Promise<number> {
  const text = await (await fetch(`${heddle.opsUrl}/metrics`)).text();
  return Number(new RegExp(`^heddle_disk_free_bytes\\{folder="${folder}"\\} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Fills every free byte of a disk. */
async function fill(disk: string): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await writeFile(join(disk, 'ballast'), Buffer.alloc(bavail * bsize)).catch(() => undefined);
}

const linesOf = (heddle: Standalone, text: string): string[] =>
  heddle
    .stderr()
    .split('\n')
    .filter((line) => line.includes(text));
const title = `a disk for blobs of ${DISK_MIB} MiB that is full`;

describe.runIf(skipped === null)(
  skipped === null ? title : `${title} (skipped: ${skipped})`,
  { timeout: TEST_TIMEOUT_MS },
  () => {
    let dataDir: string;
    let disk: string;
    let heddle: Standalone;
    let client: HeddleClient;
    let mounted = false;
    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'heddle-disk-'));
      disk = await mkdtemp(join(tmpdir(), 'heddle-small-'));
      execFileSync('mount', [...mountArguments(DISK_MIB), disk]);
      mounted = true;
      await symlink(disk, join(dataDir, 'blobs'));
      heddle = await startStandalone({
        dataDir,
        env: { HEDDLE_LOG_LEVEL: 'info', HEDDLE_ASSET_SWEEP_S: '0.1', HEDDLE_DISK_LOOK_S: '0.1' },
      });
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
      await fill(disk);
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

    it('is reported in the log, as degraded: disk, and as a metric, while the service stays ready', async () => {
      const reason = await eventually('degraded: disk', () => diskReason(heddle));
      expect(reason).toMatch(/^\d\S* (bytes|KiB) free in \S+\/blobs \(blobs\), less than 163\.8 KiB: free space there/);
      expect(await readiness(heddle)).toMatchObject({ status: 200, ready: true });
      expect(await freeBytesOf(heddle, 'blobs')).toBeLessThan(163.8 * 1024);
      expect(await freeBytesOf(heddle, 'data')).toBeGreaterThan(0);
      await eventually('a line of it', () => linesOf(heddle, 'disk nearly full').length > 0);
      const failed = linesOf(heddle, '"msg":"an upload failed: ');
      expect(failed.join('\n')).toContain(`no space left on the disk of ${dataDir}/blobs`);
    });

    it('holds up a job whose output finds no space, until there is some', async () => {
      const job = await client.submitted(pictureGraph({ size: 256 }));
      const waits = 'a running job waits for its inputs or outputs to be stored: no space left on the disk';
      await eventually('a line of its wait', () => linesOf(heddle, waits).length > 0);
      expect((await client.jobNow(job.id)).status).toBe('running');
      await rm(join(disk, 'ballast'));
      expect((await client.reached(job.id, 'succeeded')).outputs).toHaveLength(1);
    });

    it('takes uploads again once space is free, under the same keys', async () => {
      await eventually('the end of degraded: disk', async () => (await diskReason(heddle)) === null);
      await eventually('a line of it', () => linesOf(heddle, 'disk has space again').length > 0);
      // One line each time the disk was full, not one for each check. The first upload may have filled it for a moment.
      expect(linesOf(heddle, 'disk nearly full')).toHaveLength(linesOf(heddle, 'disk has space again').length);
      const bytes = freshBytes(64 * 1024);
      const answer = await upload(bytes, 'full-0');
      expect(answer.status).toBe(201);
      const { id } = JSON.parse(answer.bytes.toString()) as { id: string };
      expect((await client.content(id)).bytes.equals(bytes)).toBe(true);
    });
  },
);

describe.runIf(skipped === null)(
  `a disk of ${WHOLE_DISK_MIB} MiB for database and blobs that is full${skipped === null ? '' : ` (skipped: ${skipped})`}`,
  { timeout: 2 * TEST_TIMEOUT_MS },
  () => {
    let disk: string;
    let heddle: Standalone;
    let client: HeddleClient;
    let mounted = false;
    const acknowledged: string[] = [];
    beforeAll(async () => {
      disk = await mkdtemp(join(tmpdir(), 'heddle-whole-disk-'));
      execFileSync('mount', [...mountArguments(WHOLE_DISK_MIB), disk]);
      mounted = true;
      const env = { HEDDLE_LOG_LEVEL: 'info', HEDDLE_DISK_LOOK_S: '0.1', HEDDLE_QUEUE_DEPTH_ACCOUNT: '10000' };
      heddle = await startStandalone({ dataDir: disk, env });
      client = await HeddleClient.connect(heddle.url);
    });
    afterAll(async () => {
      await heddle?.stop();
      if (mounted) execFileSync('umount', [disk]);
      await rm(disk, { recursive: true, force: true });
    });

    const upload = (sizeBytes: number) => {
      const form = { bytes: freshBytes(sizeBytes), content_type: 'application/octet-stream', file_path: 'x.bin' };
      return client.upload(form);
    };
    /** Submits a large graph, so that the database soon needs space. */
    const submit = async (): Promise<number> => {
      const text = randomBytes(64 * 1024).toString('hex');
      const answer = await client.submit(textGraph(text)).catch(() => null);
      if (answer?.status === 201) acknowledged.push((JSON.parse(answer.bytes.toString()) as { id: string }).id);
      return answer?.status ?? 0;
    };

    it('refuses submissions with 500 and says why', async () => {
      expect(await submit()).toBe(201);
      await fill(disk);
      await eventually('a submission that finds no space', async () => (await submit()) >= 500, TEST_TIMEOUT_MS);
      expect(await eventually('degraded: disk', () => diskReason(heddle))).toMatch(
        /\(data, blobs, registry-uploads, registry-blobs, database\)/,
      );
      const said = 'no space left on the disk of the database';
      await eventually('a line of it', () => linesOf(heddle, said).length > 0);
      expect((await upload(MEBIBYTE)).status).toBe(500);
    });

    it('goes on by itself once space is free, and has lost nothing that it acknowledged', async () => {
      await rm(join(disk, 'ballast'));
      await eventually('a submission', async () => (await submit()) === 201, TEST_TIMEOUT_MS);
      expect(acknowledged.length).toBeGreaterThan(1);
      for (const id of acknowledged) await client.reached(id, 'succeeded');
      expect((await upload(1024)).status).toBe(201);
      await eventually('the end of degraded: disk', async () => (await diskReason(heddle)) === null);
    });
  },
);
