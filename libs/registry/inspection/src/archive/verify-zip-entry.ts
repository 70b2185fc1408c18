import { Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { ArchiveFile } from './archive-file.js';
import { ArchiveProblem } from './archive-problem.js';
import type { ZipEntry } from './zip-directory.js';
import { isZlibError } from './zlib-error.js';

const CHUNK_BYTES = 64 * 1024;

/** As `checkedContent`; returns the content if `keep`. */
export async function verifyZipEntry(
  file: ArchiveFile,
  entry: ZipEntry,
  start: number,
  keep: boolean,
): Promise<Buffer> {
  const kept: Buffer[] = [];
  for await (const chunk of checkedContent(file, entry, start)) if (keep) kept.push(chunk);
  return Buffer.concat(kept);
}

/**
 * Unpacks an entry in chunks and compares it with the size and the checksum that the directory declares; never unpacks much more
 * than that size. Throws an ArchiveProblem, the end of a sentence about the entry, where they differ: at its end at the latest.
 */
export async function* checkedContent(file: ArchiveFile, entry: ZipEntry, start: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  let checksum = 0;
  try {
    for await (const chunk of unpacked(file, entry, start)) {
      bytes += chunk.length;
      if (bytes > entry.size) break;
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw new ArchiveProblem('cannot be unpacked: its data are damaged.');
  }
  if (bytes > entry.size) throw new ArchiveProblem(`unpacks to more than the ${entry.size} bytes that it declares.`);
  if (bytes < entry.size) throw new ArchiveProblem(`unpacks to ${bytes} bytes, but declares ${entry.size}.`);
  if (checksum !== entry.crc32) throw new ArchiveProblem('has another checksum than it declares.');
}

async function* unpacked(file: ArchiveFile, entry: ZipEntry, start: number): AsyncGenerator<Buffer> {
  if (entry.method === 0) yield* packed(file, entry, start);
  else if (entry.packedSize > CHUNK_BYTES || entry.size > CHUNK_BYTES * 8) {
    const chunks = Readable.from(packed(file, entry, start));
    const inflate = createInflateRaw();
    chunks.on('error', (error) => inflate.destroy(error));
    try {
      yield* chunks.pipe(inflate);
    } finally {
      chunks.destroy();
    }
  } else yield inflateSmall(await file.read(start, entry.packedSize), entry.size);
}

/** A stream costs 0.3 ms, which adds up in a package of thousands of small files. */
function inflateSmall(data: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(data, { maxOutputLength: size + 1 });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ArchiveProblem(`unpacks to more than the ${size} bytes that it declares.`);
  }
}

async function* packed(file: ArchiveFile, entry: ZipEntry, start: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < entry.packedSize; at += CHUNK_BYTES) {
    yield await file.read(start + at, Math.min(CHUNK_BYTES, entry.packedSize - at));
  }
}
