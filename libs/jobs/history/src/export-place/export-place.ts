import { EXPORTED_FILE, ExportError } from './manifest.js';
import type { ExportFile, ExportManifest } from './manifest.js';

/** Why a listed file is not the one that was exported. */
export type FileTrouble = 'missing' | 'link' | 'changed';

/** Where an export is kept. Implementations pass `libs/jobs/history/src/export-place/export-place.suite.ts`. */
export interface ExportPlace {
  /** For messages and reports: the absolute path of a folder, or `s3://bucket/prefix`. */
  readonly name: string;
  /** Null if the place has none. */
  manifest(): Promise<ExportManifest | null>;
  /** Brings a listed file to its local path; null if it is the one that was exported. A changed file is brought too. */
  fetch(file: ExportFile, signal?: AbortSignal): Promise<FileTrouble | null>;
  /** Where a listed file is once it was fetched. */
  localPath(file: string): string;
  /** Files below `events`, in order. */
  files(): Promise<readonly string[]>;
  /** Keeps other exports out of the place while `work` adds files. @throws ExportError `export_busy` */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Keeps the file that `write` makes under a local path: it outlasts a crash once this resolves. */
  add(
    file: string,
    write: (localPath: string) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<Pick<ExportFile, 'bytes' | 'sha256'>>;
  /** Removes a file that no manifest names. */
  remove(file: string): Promise<void>;
  /** Readers see the former manifest or this one, also after a crash. */
  publish(manifest: ExportManifest): Promise<void>;
}

/** Files below `events` that the manifest does not name, in order. */
export async function unlistedFiles(place: ExportPlace, manifest: ExportManifest | null): Promise<readonly string[]> {
  return unlistedOf(await place.files(), pathsOf(manifest));
}

/**
 * Unlisted files that an export which crashed has left. @throws ExportError if the place holds other files, or lacks one that
 * the manifest names: what is added to such an export would not make it whole
 */
export async function leftovers(place: ExportPlace, manifest: ExportManifest | null): Promise<readonly string[]> {
  const [present, listed] = [await place.files(), pathsOf(manifest)];
  const found = new Set(present);
  const missing = listed.find((path) => !spellings(path).some((one) => found.has(one)));
  if (missing !== undefined)
    throw new ExportError(
      'export_torn',
      `${place.name}/${missing} is missing; heddle history verify names every fault`,
    );
  const unlisted = unlistedOf(present, listed);
  const foreign = unlisted.find((path) => !EXPORTED_FILE.test(path));
  if (foreign === undefined) return unlisted;
  throw new ExportError(
    'manifest_mismatch',
    `${place.name}/${foreign} is not a file of an export: name a place that holds an export or nothing`,
  );
}

function pathsOf(manifest: ExportManifest | null): readonly string[] {
  return manifest?.segments.flatMap(({ files }) => files.map(({ path }) => path)) ?? [];
}

function unlistedOf(present: readonly string[], listed: readonly string[]): readonly string[] {
  const known = new Set(listed.flatMap(spellings));
  return present.filter((path) => !known.has(path));
}

/** The S3 client decodes listed names, also those of a store that does not encode them (versitygw 1.7). */
function spellings(path: string): readonly string[] {
  try {
    return [path, decodeURIComponent(path)];
  } catch {
    // A manifest that somebody changed may hold any digits.
    return [path];
  }
}

/** The local paths of the listed files, segment by segment; none without a manifest: the log was empty. */
export function segmentPaths(
  place: ExportPlace,
  manifest: ExportManifest | null,
  leftOut: ReadonlySet<string> = new Set(),
): readonly (readonly string[])[] {
  return (manifest?.segments ?? []).map(({ files }) =>
    files.filter(({ path }) => !leftOut.has(path)).map(({ path }) => place.localPath(path)),
  );
}
