import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { S3BlobStore, S3Objects } from '@heddle/platform-blob-store';
import { describeOnS3 } from '@heddle/testing-servers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ExportBucket } from './export-bucket.js';
import { LOCK_FILE, ownHolder } from './export-holder.js';
import { describeExportPlace } from './export-place.suite.js';
import type { PlaceUnderTest } from './export-place.suite.js';

const FILE = 'events/dt=2026-11-27/event_type=JobLeased/part-000000000001-000000000001.parquet';

describeOnS3('on a real server', (server) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-export-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const options = (prefix: string) => {
    const { endpoint, accessKey, secretKey, region } = server();
    return { endpoint, accessKey, secretKey, region, bucket: 'exports', prefix };
  };
  const make = async (prefix: string): Promise<PlaceUnderTest & { readonly objects: S3Objects }> => {
    await S3BlobStore.open(options('b/'));
    const objects = await S3Objects.open(options(prefix));
    return {
      objects,
      open: async () =>
        new ExportBucket(objects, `s3://exports/${prefix}`.slice(0, -1), await mkdtemp(join(folder, 'local-'))),
      set: async (path, bytes) => {
        await objects.remove(path);
        if (bytes !== null) await objects.put(path, bytes, null);
      },
      get: async (path) => {
        const found = await objects.read(path);
        return found === null ? null : await buffer(found.body);
      },
      end: () => Promise.resolve(),
    };
  };

  describeExportPlace('in a bucket', () => make('conformance/of/places/'));
  describeExportPlace('at the root of a bucket', () => make(''));

  it('keeps no file on this machine that was written', async () => {
    const { open } = await make('local/');
    const place = await open();
    await place.exclusively(() => place.add(FILE, (path) => writeFile(path, 'rows')));
    const entries = await readdir(place.localPath('.'), { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile())).toEqual([]);
    expect(await place.files()).toEqual([FILE]);
  });

  it('an export whose lock another one has taken over adds, removes and publishes nothing more', async () => {
    const { open, set, get } = await make('taken/');
    const place = await open();
    const late = place.exclusively(async () => {
      const other = Buffer.from(JSON.stringify({ ...ownHolder(), pid: 1, host: 'elsewhere' }));
      await set(LOCK_FILE, other);
      const busy = { code: 'export_busy', message: expect.stringContaining('process 1 of elsewhere') as string };
      await expect(place.add(FILE, (path) => writeFile(path, 'rows'))).rejects.toMatchObject(busy);
      await expect(place.remove(FILE)).rejects.toMatchObject(busy);
      const watermark = { seq: 0, chain: '', recorded_at: '' };
      await expect(place.publish({ watermark, events: 0, segments: [] })).rejects.toMatchObject(busy);
      return other;
    });
    const other = await late;
    expect([await get(FILE), await get('manifest.json'), await get(LOCK_FILE)]).toEqual([null, null, other]);
  });

  it('is free 60 s after the last renewal by an export of another machine', async () => {
    const { open, set, get } = await make('over/');
    const place = await open();
    await set(LOCK_FILE, Buffer.from(JSON.stringify({ ...ownHolder(), pid: 1, host: 'elsewhere' })));
    const stored = join(dirname(server().log), 'objects/exports/over', LOCK_FILE);
    const writtenAgo = async (seconds: number): Promise<void> => {
      const at = Date.now() / 1_000 - seconds;
      await utimes(stored, at, at);
    };
    await writtenAgo(55);
    await expect(place.exclusively(() => Promise.resolve())).rejects.toMatchObject({ code: 'export_busy' });
    await writtenAgo(65);
    expect(await place.exclusively(() => Promise.resolve('its turn'))).toBe('its turn');
    expect(await get(LOCK_FILE)).toBeNull();
  });

  it('a manifest that another export published meanwhile is not replaced', async () => {
    const { open, set, get } = await make('replaced/');
    const place = await open();
    const watermark = { seq: 1, chain: '', recorded_at: '' };
    await place.exclusively(async () => {
      expect(await place.manifest()).toBeNull();
      await set('manifest.json', Buffer.from('another'));
      await expect(place.publish({ watermark, events: 1, segments: [] })).rejects.toMatchObject({
        code: 'export_busy',
        message: 'another export wrote s3://exports/replaced/manifest.json meanwhile: run this one again',
      });
    });
    expect(String(await get('manifest.json'))).toBe('another');
  });

  it('a store that ignores conditions is refused, and no lock is left', async () => {
    const { objects } = await make('ignored/');
    const { port } = new URL(server().endpoint);
    const deaf = createServer((asked, answer) => {
      const { method, url: path, headers } = asked;
      if (headers['if-match'] !== undefined) return void answer.writeHead(200, { etag: '"stored"' }).end();
      const forwarded = request({ port, host: '127.0.0.1', method, path, headers }, (found) => {
        answer.writeHead(found.statusCode ?? 500, found.headers);
        found.pipe(answer);
      });
      asked.pipe(forwarded);
    });
    await new Promise<void>((done) => deaf.listen(0, '127.0.0.1', done));
    try {
      const through = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`;
      const beyond = await S3Objects.open({ ...options('ignored/'), endpoint: through });
      const place = new ExportBucket(beyond, 's3://exports/ignored', await mkdtemp(join(folder, 'local-')));
      await expect(place.exclusively(() => Promise.resolve())).rejects.toThrow('ignores If-Match');
      expect(await objects.read(LOCK_FILE)).toBeNull();
    } finally {
      deaf.closeAllConnections();
      deaf.close();
    }
  });
});
