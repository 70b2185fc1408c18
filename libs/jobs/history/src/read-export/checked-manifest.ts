import type { ExportPlace } from '../export-place/export-place.js';
import { ExportError, MANIFEST_FILE, type ExportManifest } from '../export-place/manifest.js';
import { fetchFiles, type FetchOptions } from './fetch-files.js';

const TROUBLES = { missing: 'is missing', link: 'is a symbolic link', changed: 'is not the file that was exported' };

/** Fetches an export; refuses one whose files are not the manifest's. */
export async function checkedManifest(place: ExportPlace, options: FetchOptions = {}): Promise<ExportManifest> {
  const manifest = await someManifest(place);
  for await (const [file, trouble] of fetchFiles(place, manifest, options)) {
    if (trouble === null) continue;
    const message = `${place.name}/${file.path} ${TROUBLES[trouble]}; heddle history verify names every fault`;
    throw new ExportError('export_torn', message);
  }
  return manifest;
}

export async function someManifest(place: ExportPlace): Promise<ExportManifest> {
  const manifest = await place.manifest();
  if (manifest !== null) return manifest;
  throw new ExportError('manifest_mismatch', `${place.name} holds no ${MANIFEST_FILE}`);
}
