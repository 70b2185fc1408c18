import { hash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCK_FILE, ownHolder } from './export-holder.js';
import { leftovers, segmentPaths, unlistedFiles } from './export-place.js';
import type { ExportPlace } from './export-place.js';
import { MANIFEST_FILE } from './manifest.js';
import type { ExportFile, ExportManifest } from './manifest.js';

export interface PlaceUnderTest {
  /** The same place as another process opens it. */
  open(): Promise<ExportPlace>;
  /** Bytes at a path of the place, behind its back; null removes them. */
  set(path: string, bytes: Buffer | null): Promise<void>;
  get(path: string): Promise<Buffer | null>;
  end(): Promise<void>;
}

const CHAINS = ['a', 'b', 'c'].map((digit) => digit.repeat(64));
/** The first file is of a type of a newer build. */
const pathOf = (seq: number): string => {
  const number = String(seq).padStart(12, '0');
  return `events/dt=2026-11-2${seq}/event_type=${seq === 1 ? 'Job%2fOdd' : 'JobLeased'}/part-${number}-${number}.parquet`;
};

/** A manifest of segments that hold one event each. */
function manifestOf(files: readonly Pick<ExportFile, 'bytes' | 'sha256'>[]): ExportManifest {
  const at = '2026-11-27T10:00:00.000Z';
  const segments = files.map((file, index) => ({
    ...{ from_seq: index + 1, to_seq: index + 1, events: 1, redacted: false, exported_at: at },
    ...{ chain_before: CHAINS[index]!, chain: CHAINS[index + 1]! },
    files: [
      { ...file, path: pathOf(index + 1), events: 1, min_seq: 1, max_seq: 1, min_recorded_at: at, max_recorded_at: at },
    ],
  }));
  const watermark = { seq: files.length, chain: CHAINS[files.length]!, recorded_at: at };
  return { watermark, events: files.length, segments };
}

export function describeExportPlace(name: string, make: () => Promise<PlaceUnderTest>): void {
  describe(`an export ${name}`, () => {
    let under: PlaceUnderTest;
    let place: ExportPlace;
    const content = [randomBytes(10_000), randomBytes(20_000)];
    const add = async (to: ExportPlace, seq: number, bytes = content[seq - 1]!) =>
      await to.add(pathOf(seq), (path) => writeFile(path, bytes));
    let published: ExportManifest;
    beforeAll(async () => {
      under = await make();
      place = await under.open();
    });
    afterAll(() => under.end());

    it('begins with nothing', async () => {
      expect([await place.manifest(), await unlistedFiles(place, null)]).toEqual([null, []]);
    });

    it('holds what was added and published, for whoever opens it', async () => {
      published = await place.exclusively(async () => {
        expect(await place.manifest()).toBeNull();
        const first = await add(place, 1);
        expect(first).toEqual({ bytes: 10_000, sha256: hash('sha256', content[0]!) });
        await place.publish(manifestOf([first]));
        const manifest = manifestOf([first, await add(place, 2)]);
        await place.publish(manifest);
        return manifest;
      });
      expect(await under.get(LOCK_FILE)).toBeNull();
      const other = await under.open();
      expect(await other.manifest()).toEqual(published);
      const files = published.segments.flatMap((segment) => segment.files);
      expect(await Promise.all(files.map((file) => other.fetch(file)))).toEqual([null, null]);
      const paths = segmentPaths(other, published).flat();
      expect(await Promise.all(paths.map((path) => readFile(path)))).toEqual(content);
      expect(segmentPaths(other, published, new Set([pathOf(1)]))).toEqual([[], [paths[1]]]);
    });

    it('names a file that is missing or changed', async () => {
      const [file] = published.segments[0]!.files;
      for (const [bytes, trouble] of [
        [Buffer.alloc(10_000), 'changed'],
        [content[0]!.subarray(1), 'changed'],
        [null, 'missing'],
        [content[0]!, null],
      ] as const) {
        await under.set(pathOf(1), bytes);
        const other = await under.open();
        expect(await other.fetch(file!)).toBe(trouble);
        if (trouble === 'changed') expect(await readFile(other.localPath(pathOf(1)))).toEqual(bytes);
      }
    });

    it('names a manifest that is none by the whole path', async () => {
      const kept = await under.get(MANIFEST_FILE);
      await under.set(MANIFEST_FILE, Buffer.from('x'));
      const other = await under.open();
      await expect(other.manifest()).rejects.toThrow(`${other.name}/${MANIFEST_FILE}: it is not JSON`);
      await under.set(MANIFEST_FILE, kept);
    });

    it('lists what a crash left, which the next export removes, and refuses to remove other files', async () => {
      await under.set(pathOf(3), Buffer.from('left'));
      expect(await unlistedFiles(place, published)).toEqual([pathOf(3)]);
      expect(await leftovers(place, published)).toEqual([pathOf(3)]);
      await place.exclusively(() => place.remove(pathOf(3)));
      expect(await unlistedFiles(place, published)).toEqual([]);
      await under.set('events/notes.txt', Buffer.from('mine'));
      await expect(leftovers(place, published)).rejects.toMatchObject({
        code: 'manifest_mismatch',
        message: `${place.name}/events/notes.txt is not a file of an export: name a place that holds an export or nothing`,
      });
      await under.set('events/notes.txt', null);
    });

    it('refuses to be extended if it lacks a listed file, whatever its name', async () => {
      for (const path of [pathOf(9), pathOf(9).replace(/event_type=\w+/, 'event_type=%ff')]) {
        const [segment] = published.segments;
        const torn = { ...published, segments: [{ ...segment!, files: [{ ...segment!.files[0]!, path }] }] };
        await expect(leftovers(place, torn)).rejects.toMatchObject({
          code: 'export_torn',
          message: `${place.name}/${path} is missing; heddle history verify names every fault`,
        });
      }
    });

    it('keeps nothing of a file that could not be written', async () => {
      const full = place.exclusively(() =>
        place.add(pathOf(4), async (path) => {
          await writeFile(path, 'half');
          throw new Error('no space left');
        }),
      );
      await expect(full).rejects.toThrow('no space left');
      expect([await unlistedFiles(place, published), await under.get(LOCK_FILE)]).toEqual([[], null]);
      await expect(readFile(place.localPath(pathOf(4)))).rejects.toThrow('ENOENT');
    });

    it('is written by one export at a time', async () => {
      const other = await under.open();
      await place.exclusively(async () => {
        await expect(other.exclusively(() => Promise.resolve())).rejects.toMatchObject({
          code: 'export_busy',
          message: expect.stringMatching(`another export .process ${process.pid} of .+. writes to `) as string,
        });
      });
      expect(await other.exclusively(() => Promise.resolve('its turn'))).toBe('its turn');
    });

    it('is free where the process that held it has ended', async () => {
      const dead = Buffer.from(JSON.stringify({ ...ownHolder(), identity: 'an earlier boot:1' }));
      await under.set(LOCK_FILE, dead);
      expect(await place.exclusively(() => Promise.resolve('its turn'))).toBe('its turn');
      expect(await under.get(LOCK_FILE)).toBeNull();
    });
  });
}
