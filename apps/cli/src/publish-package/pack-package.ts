import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { PackageFile } from './package-files.js';

/** A zip on this machine. */
export interface PackedPackage {
  readonly path: string;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

const MODE = 0o100644;

/** Runs `work` with a zip of the files; equal files make equal bytes. The zip is removed afterwards. */
export async function withPackedFiles<T>(
  files: readonly PackageFile[],
  work: (packed: PackedPackage) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-package-'));
  try {
    const path = join(folder, 'package.zip');
    const sha256 = await pack(files, path);
    return await work({ path, sha256, sizeBytes: (await stat(path)).size });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function pack(files: readonly PackageFile[], path: string): Promise<string> {
  const zip = new ZipFile();
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  // A file that cannot be read is an error of the zip, not of its stream.
  zip.on('error', (error) => hashed.destroy(error as Error));
  // DOS times have no zone: the same local time everywhere makes the same bytes.
  const entry = { mtime: new Date(2000, 0, 1), mode: MODE, forceDosTimestamp: true };
  for (const file of files) zip.addFile(file.source, file.path, entry);
  zip.end();
  await pipeline(zip.outputStream, hashed, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return hash.digest('hex');
}
