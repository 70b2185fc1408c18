import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack, type Header } from 'tar-stream';
import { ZipFile } from 'yazl';

/** Calls `use` with a file that has these bytes. */
export async function withFile<T>(bytes: Buffer, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-archive-'));
  try {
    const path = join(folder, 'upload');
    await writeFile(path, bytes);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A zip as an ordinary tool writes it. */
export async function zipOf(files: Record<string, Buffer | string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, data] of Object.entries(files)) zip.addBuffer(Buffer.from(data), name);
  zip.end();
  return buffer(zip.outputStream);
}

export type TarFile = Partial<Header> & { data?: Buffer | string };

export async function tarOf(files: readonly TarFile[]): Promise<Buffer> {
  const tar = pack();
  for (const { data, ...headers } of files) tar.entry({ name: '', ...headers }, Buffer.from(data ?? ''));
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function tarGzOf(files: readonly TarFile[]): Promise<Buffer> {
  return gzipSync(await tarOf(files));
}
