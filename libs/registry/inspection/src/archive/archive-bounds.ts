const MIB = 1024 * 1024;

/** What an archive may hold, as it declares it (registry decisions, Archive). */
export interface ArchiveBounds {
  readonly entries: number;
  readonly unpackedBytes: number;
  /** Unpacked bytes to packed bytes, of each entry and of the whole; counts above `ratioFromBytes`. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
  /** Parts of a path: folders and the file itself. */
  readonly depth: number;
}

export const ARCHIVE_BOUNDS: ArchiveBounds = {
  entries: 10_000,
  unpackedBytes: 512 * MIB,
  ratio: 200,
  ratioFromBytes: MIB,
  depth: 32,
};

/** How much of a package is read into memory (registry decisions, Extraction: Reads). */
export interface PackageBounds {
  readonly fileBytes: number;
  readonly files: number;
  readonly totalBytes: number;
}

export const PACKAGE_BOUNDS: PackageBounds = { fileBytes: MIB, files: 2000, totalBytes: 32 * MIB };

/** The directory of a zip is read as a whole; 10,000 entries with long names need a tenth of this. */
export const MAX_DIRECTORY_BYTES = 16 * MIB;

/** An extended header of a tar holds a path and some times; attributes of macOS make it a few KiB. */
export const MAX_TAR_HEADER_BYTES = 64 * 1024;
/** Records of the extended headers of one entry. */
export const MAX_TAR_RECORDS = 1_000;
/** Extended headers of an archive: a long name, a long link and records for each of its entries. */
export const MAX_TAR_HEADERS = 30_000;

/** Zeros behind the end mark of a tar: tools fill a block of 10 KiB, some one of 1 MiB. */
export const MAX_TAR_PADDING_BYTES = 2 * MIB;

/** What a tar adds to an entry's bytes: its header, an extended header and padding. */
export const TAR_BYTES_PER_ENTRY = 2560;
