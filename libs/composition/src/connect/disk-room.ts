import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sizeText } from '@heddle/contracts-api-v2';

/** A folder that this process or its servers write to. */
export interface WrittenFolder {
  /** For metrics and messages, e.g. `blobs`. */
  readonly name: string;
  readonly path: string;
}

/** The disk of some of these folders. */
export interface DiskRoom {
  /** Path of the first folder. */
  readonly path: string;
  readonly names: readonly string[];
  readonly freeBytes: number;
  /** Below this the disk counts as nearly full. */
  readonly minFreeBytes: number;
  /** Files that can still be created; null if the file system has no such limit. */
  readonly freeFiles: number | null;
}

const DEFAULT_MIN_FREE_BYTES = 1024 ** 3;
const DEFAULT_MIN_FREE_SHARE = 0.02;
const MIN_FREE_FILES = 1_000;

/** Groups folders by disk. `wanted`: minimum free bytes, null for the default by disk size. */
export async function diskRooms(
  folders: readonly WrittenFolder[],
  wanted: number | null,
): Promise<readonly DiskRoom[]> {
  const rooms = new Map<number, DiskRoom>();
  for (const { name, path } of folders) {
    const found = await existing(path);
    const known = rooms.get(found.device);
    if (known !== undefined) {
      rooms.set(found.device, { ...known, names: [...known.names, name] });
      continue;
    }
    const { bavail, blocks, bsize, files, ffree } = await statfs(found.path);
    const minFreeBytes = wanted ?? Math.min(DEFAULT_MIN_FREE_BYTES, blocks * bsize * DEFAULT_MIN_FREE_SHARE);
    const freeFiles = files === 0 ? null : ffree;
    rooms.set(found.device, { path, names: [name], freeBytes: bavail * bsize, minFreeBytes, freeFiles });
  }
  return [...rooms.values()];
}

/** A folder that does not exist yet is represented by its parent. */
async function existing(path: string): Promise<{ readonly path: string; readonly device: number }> {
  try {
    return { path, device: (await stat(path)).dev };
  } catch (error) {
    if (dirname(path) === path) throw error;
    return await existing(dirname(path));
  }
}

/**
 * What a disk lacks, and what to do; null if there is enough. `margin` raises the limits, so that a disk counts as
 * recovered only with room to spare.
 */
export function shortageOf({ path, names, freeBytes, minFreeBytes, freeFiles }: DiskRoom, margin = 1): string | null {
  const of = `${path} (${names.join(', ')})`;
  if (freeBytes < minFreeBytes * margin) {
    return `${sizeText(freeBytes)} free in ${of}, less than ${sizeText(minFreeBytes)}: free space there or enlarge the disk`;
  }
  if (freeFiles !== null && freeFiles < MIN_FREE_FILES * margin) {
    return `only ${freeFiles} more files can be made in ${of}: remove files there, or use a file system with more inodes`;
  }
  return null;
}

/** Describes the free space. */
export function roomText({ path, freeBytes, freeFiles }: DiskRoom): string {
  const files = freeFiles === null ? '' : ` and room for ${freeFiles} files`;
  return `${sizeText(freeBytes)}${files} free in ${path}`;
}
