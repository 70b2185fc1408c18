import { readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { ExportFolder } from './export-folder.js';
import { describeExportPlace } from './export-place.suite.js';

describeExportPlace('in a folder', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'heddle-export-'));
  const folder = join(parent, 'deep', 'export');
  return {
    open: () => Promise.resolve(new ExportFolder(folder)),
    set: async (path, bytes) => {
      if (bytes === null) return await rm(join(folder, path));
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    },
    get: (path) => readFile(join(folder, path)).catch(() => null),
    end: () => rm(parent, { recursive: true }),
  };
});

afterEach(() => vi.restoreAllMocks());

it.runIf(process.platform === 'linux')('a file is flushed with the entry of each folder above it', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'heddle-export-'));
  const probe = await open(parent);
  const handles = Object.getPrototypeOf(probe) as { sync(this: { readonly fd: number }): Promise<void> };
  await probe.close();
  const flushed: string[] = [];
  const { sync } = handles;
  vi.spyOn(handles, 'sync').mockImplementation(async function (this: { readonly fd: number }) {
    flushed.push(readlinkSync(`/proc/self/fd/${this.fd}`).slice(parent.length));
    await sync.call(this);
  });
  const place = new ExportFolder(join(parent, 'new', 'export'));
  const file = 'events/dt=2026-11-27/event_type=JobLeased/part-000000000001-000000000001.parquet';
  const write = (path: string): Promise<void> => writeFile(path, 'rows');
  await place.exclusively(() => place.add(file, write));
  const day = '/new/export/events/dt=2026-11-27';
  expect(flushed).toEqual([
    ...['/new', ''],
    ...[day, '/new/export/events', '/new/export'],
    ...[`/new/export/${file}`, `${day}/event_type=JobLeased`],
  ]);
  flushed.length = 0;
  // A process of before made the folders, and nobody knows whether it flushed their entries.
  const next = new ExportFolder(place.name);
  await next.exclusively(() => next.add(file.replace('JobLeased', 'JobFailed'), write));
  expect(flushed).toEqual([
    ...[day, '/new/export/events', '/new/export'],
    ...[`/new/export/${file.replace('JobLeased', 'JobFailed')}`, `${day}/event_type=JobFailed`],
  ]);
  await rm(parent, { recursive: true });
});
