import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BlobExistsError, BlobMissingError, newBlobKey } from './blob-store.js';
import type { BlobKey, BlobStore } from './blob-store.js';
import { urlLife } from './sign-urls/url-life.js';

export interface StoreUnderTest {
  readonly store: BlobStore;
  /** What a signed URL gives to somebody without a credential. */
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<SignedAnswer>;
  end(): Promise<void>;
}

/** An answer to a signed URL. */
export interface SignedAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly disposition: string | null;
  readonly body: Buffer;
}

/** Contract of the port: every implementation runs this suite on its real storage. */
export function describeBlobStore(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`the blob store ${name}`, () => {
    let made: StoreUnderTest;
    let store: BlobStore;

    beforeAll(async () => {
      made = await make();
      store = made.store;
    });
    afterAll(async () => {
      await made?.end();
    });

    const put = async (chunks: readonly Buffer[]): Promise<BlobKey> => {
      const key = newBlobKey();
      const writer = await store.write(key);
      for (const chunk of chunks) await writer.write(chunk);
      await writer.finish();
      return key;
    };
    const listed = async (): Promise<Map<BlobKey, number>> => {
      const found = new Map<BlobKey, number>();
      for await (const object of store.list()) found.set(object.key, object.sizeBytes);
      return found;
    };

    it('gives back the bytes that were written, in any cut', async () => {
      const bytes = randomBytes(3_500_003);
      for (const cut of [bytes.length, 1_048_576, 65_536, 4_096, 1_023]) {
        const chunks = [];
        for (let at = 0; at < bytes.length; at += cut) chunks.push(bytes.subarray(at, at + cut));
        const key = await put(chunks);
        expect((await buffer(await store.read(key))).equals(bytes)).toBe(true);
        expect(await store.stat(key)).toEqual({ sizeBytes: bytes.length });
      }
    });

    it('keeps order when small and large chunks alternate', async () => {
      const chunks = Array.from({ length: 600 }, (_, at) => randomBytes(at % 3 === 0 ? 20_000 : at % 50));
      const key = await put(chunks);
      expect((await buffer(await store.read(key))).equals(Buffer.concat(chunks))).toBe(true);
    });

    it('keeps an empty object', async () => {
      const key = await put([]);
      expect((await buffer(await store.read(key))).length).toBe(0);
      expect(await store.stat(key)).toEqual({ sizeBytes: 0 });
    });

    it('reads a range with both ends included', async () => {
      const bytes = randomBytes(700_000);
      const key = await put([bytes]);
      for (const [start, end] of [
        [0, 0],
        [5, 9],
        [699_999, 699_999],
        [1, 600_000],
      ] as const) {
        const read = await buffer(await store.read(key, { start, end }));
        expect(read.equals(bytes.subarray(start, end + 1))).toBe(true);
      }
    });

    it('shows nothing of an object before it is finished', async () => {
      const key = newBlobKey();
      const writer = await store.write(key);
      await writer.write(randomBytes(2_000_000));
      expect(await store.stat(key)).toBeNull();
      await expect(store.read(key)).rejects.toBeInstanceOf(BlobMissingError);
      expect((await listed()).has(key)).toBe(false);
      await writer.finish();
      expect((await listed()).get(key)).toBe(2_000_000);
    });

    it('leaves nothing behind when a writer is aborted, before or after its end', async () => {
      const early = newBlobKey();
      const writer = await store.write(early);
      void writer.write(randomBytes(5_000_000));
      await writer.abort();
      await writer.abort();
      const late = newBlobKey();
      const finished = await store.write(late);
      await finished.finish();
      await finished.abort();
      for (const key of [early, late]) expect(await store.stat(key)).toBeNull();
    });

    it('writes a key once', async () => {
      const key = await put([Buffer.from('first')]);
      await expect(store.write(key)).rejects.toBeInstanceOf(BlobExistsError);
      expect((await buffer(await store.read(key))).toString()).toBe('first');
    });

    it('makes a file an object, which outlives the file', async () => {
      await inFolder(async (folder) => {
        const bytes = randomBytes(3_500_003);
        const [file, key] = [join(folder, 'archive'), newBlobKey()];
        await writeFile(file, bytes);
        await store.writeFile(key, file);
        await rm(file);
        expect((await buffer(await store.read(key))).equals(bytes)).toBe(true);
        expect((await listed()).get(key)).toBe(bytes.length);
      });
    });

    it('makes a file an object once, and none of a file that is not there', async () => {
      await inFolder(async (folder) => {
        const file = join(folder, 'archive');
        await writeFile(file, 'second');
        const key = await put([Buffer.from('first')]);
        await expect(store.writeFile(key, file)).rejects.toBeInstanceOf(BlobExistsError);
        expect((await buffer(await store.read(key))).toString()).toBe('first');
        const absent = newBlobKey();
        await expect(store.writeFile(absent, join(folder, 'absent'))).rejects.toThrow('ENOENT');
        expect(await store.stat(absent)).toBeNull();
      });
    });

    it('removes many at once: finished, unfinished, and what is already gone', async () => {
      const kept = await put([Buffer.from('kept')]);
      const finished = await Promise.all(Array.from({ length: 40 }, (_, n) => put([Buffer.from(`gone ${n}`)])));
      const unfinished = newBlobKey();
      const writer = await store.write(unfinished);
      await writer.write(Buffer.from('half'));
      const keys = [...finished, unfinished, newBlobKey()];
      expect(await store.deleteAll(keys)).toEqual(new Map());
      for (const key of keys) expect(await store.stat(key)).toBeNull();
      expect(await store.stat(kept)).toEqual({ sizeBytes: 4 });
      expect(await store.deleteAll([])).toEqual(new Map());
      await writer.abort();
    });

    it('removes finished and unfinished objects, and what is already gone', async () => {
      const key = await put([Buffer.from('gone')]);
      await store.delete(key);
      await store.delete(key);
      const unfinished = newBlobKey();
      const writer = await store.write(unfinished);
      await writer.write(Buffer.from('half'));
      await store.delete(unfinished);
      for (const each of [key, unfinished]) {
        expect(await store.stat(each)).toBeNull();
        await expect(store.read(each)).rejects.toBeInstanceOf(BlobMissingError);
      }
      await writer.abort();
    });

    it('asks the caller to wait when chunks come faster than they can be stored', async () => {
      const writer = await store.write(newBlobKey());
      let wait: Promise<void> | undefined;
      for (let mebibytes = 0; mebibytes < 64 && wait === undefined; mebibytes += 1)
        wait = writer.write(randomBytes(1_048_576));
      expect(wait).toBeInstanceOf(Promise);
      await wait;
      await writer.abort();
    });

    it('may lose the memory of chunks that it said were taken', async () => {
      const bytes = randomBytes(6_000_000);
      const key = newBlobKey();
      const taken: Buffer[] = [];
      const writer = await store.write(key, (chunk) => taken.push(chunk.fill(0)));
      for (let at = 0; at < bytes.length; at += 100_000)
        await writer.write(Buffer.from(bytes.subarray(at, at + 100_000)));
      await writer.finish();
      expect((await buffer(await store.read(key))).equals(bytes)).toBe(true);
    });

    it('holds many writers apart', async () => {
      const bodies = Array.from({ length: 32 }, (_, at) => randomBytes(10_000 + at * 9_001));
      const keys = await Promise.all(bodies.map((body) => put([body.subarray(0, 9_000), body.subarray(9_000)])));
      for (const [at, key] of keys.entries()) {
        expect((await buffer(await store.read(key))).equals(bodies[at]!)).toBe(true);
      }
    });

    it('ends unfinished objects of an age, and leaves younger and finished ones', async () => {
      const finished = await put([Buffer.from('stays')]);
      const key = newBlobKey();
      const writer = await store.write(key);
      // The second write waits until part of the first is stored.
      for (let part = 0; part < 2; part += 1) await writer.write(randomBytes(6_000_000));
      expect(await store.abortOrphans(3_600_000)).toBe(0);
      // This test owns the only writer, so a negative age matches everything.
      expect(await store.abortOrphans(-60_000)).toBeGreaterThan(0);
      await expect(writer.finish()).rejects.toThrow();
      await writer.abort();
      expect(await store.stat(key)).toBeNull();
      expect(await store.stat(finished)).toEqual({ sizeBytes: 5 });
    });

    describe('signs URLs that', () => {
      const terms = (seconds = 60, endsAt: Date | null = null, filePath = 'out/Bild "7" ü.png') => ({
        filePath,
        life: urlLife(new Date(), seconds, endsAt),
      });

      it('give the object, as a download of plain bytes, to whoever has them', async () => {
        const bytes = randomBytes(5_000);
        const key = await put([bytes]);
        const answer = await made.get(await store.signedUrl(key, terms()));
        expect([answer.status, answer.contentType]).toEqual([200, 'application/octet-stream']);
        expect(answer.disposition).toBe(
          `attachment; filename="Bild _7_ _.png"; filename*=UTF-8''Bild%20%227%22%20%C3%BC.png`,
        );
        expect(answer.body.equals(bytes)).toBe(true);
      });

      it('give nothing else, for no longer, and to nobody who changes them', async () => {
        const key = await put([Buffer.from('mine')]);
        const other = await put([Buffer.from('other')]);
        const url = await store.signedUrl(key, terms(60));
        const query = url.slice(url.indexOf('?') + 1).split('&');
        const changed = query.flatMap((parameter, at) => {
          const [name, value] = parameter.split('=') as [string, string];
          const last = value.endsWith('0') ? '1' : '0';
          return [
            `${name}=${value.slice(0, -1)}${last}`,
            `${name}=${value}0`,
            `${name}=`,
            '',
            `${parameter}&${parameter}`,
          ].map((each) =>
            query
              .with(at, each)
              .filter((one) => one !== '')
              .join('&'),
          );
        });
        const base = url.slice(0, url.indexOf('?'));
        const forgeries = [
          ...changed.map((each) => `${base}?${each}`),
          `${base}?${query.toReversed().join('&')}`,
          url.replace(key, other),
          `${url}&more=1`,
          `${url}&`,
          base,
          url.replace('=60', '=604800'),
          url.replace('=60', `=${'6'.repeat(2_000)}`),
        ];
        for (const forged of forgeries.filter((each) => each !== url)) {
          const { status, body } = await made.get(forged);
          // A store may ignore how parameters are written, as long as it gives the same object.
          if (status === 200) expect([forged, body.toString()]).toEqual([forged, 'mine']);
          else expect([forged, [400, 403].includes(status)]).toEqual([forged, true]);
        }
        expect((await made.get(url)).body.toString()).toBe('mine');
      });

      it('end after their seconds, or at the given time where that is earlier', async () => {
        const key = await put([Buffer.from('brief')]);
        const [brief, over, long] = await Promise.all([
          store.signedUrl(key, terms(1)),
          store.signedUrl(key, terms(60, new Date(Date.now() - 1_000))),
          store.signedUrl(key, terms(604_800)),
        ]);
        expect((await made.get(over)).status).toBe(403);
        await expect.poll(async () => (await made.get(brief)).status, { timeout: 10_000, interval: 200 }).toBe(403);
        expect((await made.get(long)).status).toBe(200);
      });

      it('end with the object', async () => {
        const key = await put([Buffer.from('gone')]);
        const url = await store.signedUrl(key, terms());
        await store.delete(key);
        expect([403, 404]).toContain((await made.get(url)).status);
      });

      it('shorten names that no URL can hold, and keep the extension', async () => {
        const key = await put([Buffer.from('x')]);
        const name = `${'名'.repeat(1_020)}.png`;
        const { status, disposition } = await made.get(await store.signedUrl(key, terms(60, null, name)));
        expect(status).toBe(200);
        expect(disposition).toMatch(/^attachment; filename="_+\.png"; filename\*=UTF-8''(%E5%90%8D){340}\.png$/);
      });
    });

    it('is healthy', async () => {
      await store.health();
    });

    it('lets a reader stop half way', async () => {
      const key = await put([randomBytes(3_000_000)]);
      const stream = await store.read(key);
      await new Promise<void>((resolve, reject) => {
        stream.once('error', reject);
        stream.once('data', () => stream.destroy());
        stream.once('close', resolve);
      });
      await store.delete(key);
    });
  });
}

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-blob-store-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
