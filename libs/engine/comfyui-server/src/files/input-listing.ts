import { readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { isSafeRelative } from './engine-folders.js';

/** Maximum names in a file list of `/object_info`. */
const MAX_LISTED = 10_000;
const MARKS: Readonly<Record<string, readonly string[]>> = {
  image_upload: ['.png', '.jpg', '.jpeg', '.webp', '.gif', '.bmp', '.tif', '.tiff', '.apng', '.avif'],
  audio_upload: ['.wav', '.flac', '.mp3', '.ogg', '.opus', '.m4a', '.mp4', '.webm', '.mkv', '.mov'],
  video_upload: ['.mp4', '.webm', '.mkv', '.mov', '.gif', '.webp'],
};

/** True if the input folder has a file of that name; names that lead out of it never exist. */
export function isInputFile(inputFolder: string, name: string): boolean {
  if (!isSafeRelative(name)) return false;
  return statSync(join(inputFolder, name), { throwIfNoEntry: false })?.isFile() === true;
}

/** The `/object_info` document with the input folder's files in its loaders' lists, as the engine answers. */
export function withInputFiles(objectInfo: string, inputFolder: string): string {
  const files = readdirSync(inputFolder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort()
    .slice(0, MAX_LISTED);
  const lists = new Map<string, readonly string[]>();
  for (const [mark, extensions] of Object.entries(MARKS)) {
    lists.set(
      mark,
      files.filter((name) => extensions.includes(extname(name).toLowerCase())),
    );
  }
  return JSON.stringify(JSON.parse(objectInfo, (_, value: unknown) => filled(value, lists)));
}

/** `[list, {image_upload: true}]` with the list for that marker. */
function filled(value: unknown, lists: ReadonlyMap<string, readonly string[]>): unknown {
  if (!Array.isArray(value) || value.length < 2 || !Array.isArray(value[0])) return value;
  const options: unknown = value[1];
  if (typeof options !== 'object' || options === null) return value;
  for (const [mark, files] of lists) {
    if ((options as Record<string, unknown>)[mark] === true) return [files, ...value.slice(1)];
  }
  return value;
}
