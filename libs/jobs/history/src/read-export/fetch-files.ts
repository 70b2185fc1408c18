import type { ExportPlace, FileTrouble } from '../export-place/export-place.js';
import type { ExportFile, ExportManifest } from '../export-place/manifest.js';

/** A store answers each request after a while, whatever its size. */
const AT_ONCE = 8;

export interface FetchOptions {
  readonly signal?: AbortSignal;
  /** Events in the files that were fetched. */
  readonly onProgress?: (progress: { readonly events: number; readonly total: number }) => void;
}

/** Fetches every file of a manifest, and gives each in order with what is wrong with it. */
export async function* fetchFiles(
  place: ExportPlace,
  { segments, events: total }: ExportManifest,
  { signal, onProgress }: FetchOptions,
): AsyncGenerator<readonly [ExportFile, FileTrouble | null]> {
  const files = segments.flatMap((segment) => segment.files);
  for (let [at, events] = [0, 0]; at < files.length; at += AT_ONCE) {
    signal?.throwIfAborted();
    const some = files.slice(at, at + AT_ONCE);
    const fetched = some.map((file) => place.fetch(file, signal));
    // None may go on once this has failed: the caller removes the folder that they write to.
    await Promise.allSettled(fetched);
    const troubles = await Promise.all(fetched);
    events += some.reduce((sum, file) => sum + file.events, 0);
    onProgress?.({ events, total });
    for (const [index, file] of some.entries()) yield [file, troubles[index] ?? null];
  }
}
