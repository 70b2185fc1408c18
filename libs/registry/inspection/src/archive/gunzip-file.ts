import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { type ArchiveBounds, TAR_BYTES_PER_ENTRY } from './archive-bounds.js';
import { ArchiveProblem } from './archive-problem.js';
import { isZlibError } from './zlib-error.js';

/**
 * The unpacked bytes of a gzipped tar, which has no directory that declares them. Throws an ArchiveProblem as soon as there are
 * more than the bounds allow, so that a bomb ends early.
 */
export async function* gunzipFile(path: string, archiveBytes: number, bounds: ArchiveBounds): AsyncGenerator<Buffer> {
  const maxBytes = bounds.unpackedBytes + (bounds.entries + 1) * TAR_BYTES_PER_ENTRY;
  const file = createReadStream(path);
  const gunzip = createGunzip();
  file.on('error', (error) => gunzip.destroy(error));
  let bytes = 0;
  try {
    for await (const chunk of file.pipe(gunzip) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bounds.ratioFromBytes && bytes > archiveBytes * bounds.ratio) {
        throw new ArchiveProblem(
          `The archive of ${archiveBytes} bytes unpacks to more than ${archiveBytes * bounds.ratio} bytes. ` +
            `An archive may unpack to at most ${bounds.ratio} times its own size.`,
        );
      }
      if (bytes > maxBytes) {
        throw new ArchiveProblem(
          `The archive unpacks to more than ${bounds.unpackedBytes} bytes. Large files, such as models, do not belong in a package.`,
        );
      }
      yield chunk;
    }
    // Zlib stops at padding. Other readers go on behind it, and some read a zip from its end.
    await assertPadding(path, gunzip.bytesWritten);
  } catch (error) {
    throw isZlibError(error)
      ? new ArchiveProblem(
          `The gzipped tar cannot be read: it is cut short or damaged after ${bytes} unpacked bytes. Upload the whole file.`,
        )
      : error;
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}

async function assertPadding(path: string, start: number): Promise<void> {
  for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>) {
    if (chunk.every((byte) => byte === 0)) continue;
    throw new ArchiveProblem('The archive has bytes after its end. Upload the gzipped tar alone.');
  }
}
