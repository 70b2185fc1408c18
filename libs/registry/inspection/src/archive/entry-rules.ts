import type { ArchiveBounds } from './archive-bounds.js';
import { type ArchiveEntry, partsOf } from './archive-entry.js';
import { ArchiveProblem, shown } from './archive-problem.js';
import { pathProblem } from './path-problem.js';

/** Takes the entries of one archive in their order, and throws at the first that breaks a bound. */
export class EntryRules {
  readonly #seen = new Map<string, string>();
  readonly #files = new Set<string>();
  #unpackedBytes = 0;
  #entries = 0;

  constructor(
    private readonly bounds: ArchiveBounds,
    private readonly archiveBytes: number,
  ) {}

  get entries(): number {
    return this.#entries;
  }

  get unpackedBytes(): number {
    return this.#unpackedBytes;
  }

  admit(entry: ArchiveEntry): void {
    this.#entries += 1;
    if (this.#entries > this.bounds.entries) {
      throw new ArchiveProblem(
        `The archive has more than ${this.bounds.entries} entries; ${shown(entry.name)} is one too many. ` +
          'Leave out what the package does not need.',
      );
    }
    const problem = pathProblem(entry.name, this.bounds.depth) ?? kindProblem(entry);
    if (problem !== undefined) throw new ArchiveProblem(`The entry ${shown(entry.name)} ${problem}`);
    this.#checkUnique(entry);
    this.#checkSize(entry);
  }

  /** After the last entry. */
  finish(): void {
    if (this.#files.size === 0) {
      throw new ArchiveProblem('The archive has no file in it. It must contain the files of the package.');
    }
    for (const [path, name] of this.#seen) {
      const file = parentsOf(path).find((parent) => this.#files.has(parent));
      if (file === undefined) continue;
      throw new ArchiveProblem(
        `The entry ${shown(name)} lies in ${shown(this.#seen.get(file) ?? file)}, which is a file. ` +
          'A path must be a file or a folder.',
      );
    }
  }

  #checkUnique(entry: ArchiveEntry): void {
    const path = folded(partsOf(entry.name).join('/'));
    const earlier = this.#seen.get(path);
    if (earlier !== undefined) {
      throw new ArchiveProblem(
        `The entry ${shown(entry.name)} has the name of an earlier entry, ${shown(earlier)}. ` +
          'Names must be unique without regard to case.',
      );
    }
    this.#seen.set(path, entry.name);
    if (entry.kind === 'file') this.#files.add(path);
  }

  #checkSize({ name, size, packedSize }: ArchiveEntry): void {
    const { ratio, ratioFromBytes, unpackedBytes } = this.bounds;
    if (packedSize !== undefined && size > ratioFromBytes && size > packedSize * ratio) {
      throw new ArchiveProblem(
        `The entry ${shown(name)} declares ${size} bytes, packed as ${packedSize}. ` +
          `An entry may unpack to at most ${ratio} times its packed size.`,
      );
    }
    this.#unpackedBytes += size;
    if (this.#unpackedBytes > unpackedBytes) {
      throw new ArchiveProblem(
        `The archive declares more than ${unpackedBytes} unpacked bytes; ${shown(name)} passes the limit. ` +
          'Large files, such as models, do not belong in a package.',
      );
    }
    const whole = this.#unpackedBytes;
    if (whole > ratioFromBytes && whole > this.archiveBytes * ratio) {
      throw new ArchiveProblem(
        `The archive of ${this.archiveBytes} bytes declares ${whole} unpacked bytes up to ${shown(name)}. ` +
          `An archive may unpack to at most ${ratio} times its own size.`,
      );
    }
  }
}

function kindProblem({ kind, name, size }: ArchiveEntry): string | undefined {
  switch (kind) {
    case 'file':
      return partsOf(name).length === 0 ? 'is a file without a name. Every file must have one.' : undefined;
    case 'folder':
      return size > 0 ? `is a folder with ${size} bytes of content. A folder must be empty.` : undefined;
    case 'link':
      return 'is a link. Put the file itself in the archive.';
    case 'device':
      return 'is a device, pipe or socket. Only files and folders are allowed.';
    case 'unknown':
      return 'is of a kind that is not supported. Only files and folders are allowed.';
  }
}

/** Equal for names that differ in case alone, also `ß` and `SS`. A dotless i is a letter of its own. */
function folded(path: string): string {
  const fold = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();
  return path.normalize('NFC').split('ı').map(fold).join('ı').normalize('NFC');
}

function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
