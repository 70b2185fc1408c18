import type { ExportFolder } from './export-folder.js';
import { ExportError, type ExportManifest } from './manifest.js';

/** Refuses an export whose files are not the manifest's. */
export async function checkedManifest(folder: ExportFolder): Promise<ExportManifest> {
  const manifest = await folder.manifest();
  if (manifest === null) throw new ExportError('manifest_mismatch', `${folder.path} holds no manifest.json`);
  for (const { files } of manifest.segments)
    for (const file of files) {
      const trouble = await folder.trouble(file);
      if (trouble === null) continue;
      const what = { missing: 'is missing', link: 'is a symbolic link', changed: 'is not the file that was exported' };
      throw new ExportError('export_torn', `${file.path} ${what[trouble]}; heddle history verify names every fault`);
    }
  return manifest;
}
