/** An entry as its archive declares it. */
export interface ArchiveEntry {
  /** As the archive spells it; that of a folder may end with a slash. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'device' | 'unknown';
  /** Bytes after unpacking. */
  readonly size: number;
  /** Bytes in the archive; absent in a tar, which is packed as a whole. */
  readonly packedSize?: number;
}

/** The parts of a path, without the `.` of `./nodes.py` and without empty ones. */
export function partsOf(name: string): string[] {
  return name.split('/').filter((part) => part !== '' && part !== '.');
}
