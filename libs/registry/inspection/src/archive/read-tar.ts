import { MAX_TAR_HEADER_BYTES, MAX_TAR_HEADERS, MAX_TAR_PADDING_BYTES, MAX_TAR_RECORDS } from './archive-bounds.js';
import type { ArchiveEntry } from './archive-entry.js';
import { ArchiveProblem, shown } from './archive-problem.js';
import { ByteSource } from './byte-source.js';
import { BLOCK_BYTES, type TarHeader, readTarHeader } from './tar-header.js';
import { readPax } from './tar-pax.js';

interface TarEntry extends ArchiveEntry {
  /** The content; to be called before the next entry is asked for, and for an entry that fits into memory. */
  read(): Promise<Buffer>;
  /** The same in chunks, for an entry of any size; all of them are to be read. */
  chunks(): AsyncIterable<Buffer>;
}

/** The entries of a tar in their order. Throws an ArchiveProblem where the tar cannot be read to its end mark. */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const source = new ByteSource(chunks);
  try {
    yield* entriesOf(source);
    const rest = await source.rest(MAX_TAR_PADDING_BYTES);
    if (rest === 'other') {
      throw new ArchiveProblem('The archive has bytes after its end mark. Pack the package as one tar.');
    }
    if (rest === 'long') throw tooMany(`${MAX_TAR_PADDING_BYTES} zeros after its end mark`);
  } finally {
    await source.close();
  }
}

async function* entriesOf(source: ByteSource): AsyncGenerator<TarEntry> {
  let extended = new Map<string, string>();
  let headers = 0;
  for (;;) {
    const block = await source.take(BLOCK_BYTES);
    if (block === undefined) throw cut('its end mark is missing');
    const header = readTarHeader(block);
    if (header === undefined) break;
    if ('xgLK'.includes(header.type)) {
      headers += 1;
      if (headers > MAX_TAR_HEADERS) throw tooMany(`${MAX_TAR_HEADERS} extended headers`);
      const text = await readExtended(source, header);
      if (header.type === 'x') for (const [key, value] of readPax(text, header.name)) extended.set(key, value);
      if (extended.size > MAX_TAR_RECORDS) throw tooMany(`${MAX_TAR_RECORDS} records before one entry`);
      if (header.type === 'g') refuseGlobalPath(readPax(text, header.name));
      // The names of GNU end with NUL, and go before those of the block as those of pax do.
      if (header.type === 'L') extended.set('path', untilNul(text));
      if (header.type === 'K') extended.set('linkpath', untilNul(text));
      continue;
    }
    const entry = applyExtended(header, extended);
    extended = new Map();
    const early = cut(`the entry ${shown(entry.name)} ends too early`);
    let left = entry.size;
    async function* chunks(): AsyncGenerator<Buffer> {
      while (left > 0) {
        const piece = (await source.piece(left)) ?? raise(early);
        left -= piece.length;
        yield piece;
      }
    }
    yield {
      ...entry,
      read: async () => {
        left = 0;
        return (await source.take(entry.size)) ?? raise(early);
      },
      chunks,
    };
    if (!(await source.skip(left + padding(entry.size)))) throw early;
  }
  if (extended.size > 0) throw cut('the last header has no entry');
}

async function readExtended(source: ByteSource, header: TarHeader): Promise<Buffer> {
  if (header.size > MAX_TAR_HEADER_BYTES) {
    throw new ArchiveProblem(
      `The entry ${shown(header.name)} is an extended header of ${header.size} bytes. At most ${MAX_TAR_HEADER_BYTES} are allowed.`,
    );
  }
  const text = await source.take(header.size);
  if (text === undefined || !(await source.skip(padding(header.size)))) throw cut('an extended header ends too early');
  return text;
}

function applyExtended(header: TarHeader, extended: ReadonlyMap<string, string>): ArchiveEntry {
  const name = extended.get('path') ?? header.name;
  if ([...extended.keys()].some((key) => key.startsWith('GNU.sparse.'))) {
    throw new ArchiveProblem(`The entry ${shown(name)} is a sparse file. Pack the package without sparse files.`);
  }
  const size = extended.get('size');
  if (size !== undefined && !/^\d{1,15}$/.test(size)) {
    throw new ArchiveProblem(`The entry ${shown(name)} declares a size that is not a number. Pack the package again.`);
  }
  return { name, size: size === undefined ? header.size : Number(size), kind: kindOf(header.type, name) };
}

/** Readers disagree about which entries a global header counts for. Those of git hold a comment alone. */
function refuseGlobalPath(global: ReadonlyMap<string, string>): void {
  const key = [...global.keys()].find((name) => /^(path|linkpath|size|GNU\.sparse\..*)$/.test(name));
  if (key === undefined) return;
  throw new ArchiveProblem(`The archive has a global header with "${key}". Pack the package without global headers.`);
}

function kindOf(type: string, name: string): ArchiveEntry['kind'] {
  switch (type) {
    case '0':
    case '\0':
      return name.endsWith('/') ? 'folder' : 'file';
    case '5':
      return 'folder';
    case '1':
    case '2':
      return 'link';
    case '3':
    case '4':
    case '6':
      return 'device';
    default:
      return 'unknown';
  }
}

function padding(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
}

function untilNul(text: Buffer): string {
  const end = text.indexOf(0);
  return text.subarray(0, end < 0 ? text.length : end).toString('utf8');
}

function tooMany(what: string): ArchiveProblem {
  return new ArchiveProblem(`The tar has more than ${what}. Pack the package again with an ordinary tar.`);
}

function cut(why: string): ArchiveProblem {
  return new ArchiveProblem(`The tar cannot be read: ${why}. Pack the package again and upload the whole file.`);
}

function raise(problem: ArchiveProblem): never {
  throw problem;
}
