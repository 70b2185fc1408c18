import type { ArchiveFile } from './archive-file.js';
import { ArchiveProblem } from './archive-problem.js';

export type ArchiveFormat = 'zip' | 'tar.gz';

/** By the first bytes, whatever the file is called. */
export async function readArchiveFormat(file: ArchiveFile): Promise<ArchiveFormat> {
  if (file.bytes === 0) throw new ArchiveProblem('The archive is empty. Upload a zip or a gzipped tar.');
  const start = await file.read(0, Math.min(4, file.bytes));
  switch (start.toString('latin1')) {
    case 'PK\x03\x04':
      return 'zip';
    case 'PK\x05\x06':
      throw new ArchiveProblem('The archive has no file in it. It must contain the files of the package.');
    default:
      if (start.toString('latin1', 0, 2) === '\x1f\x8b') return 'tar.gz';
      throw new ArchiveProblem('The file is neither a zip nor a gzipped tar. Upload one of them.');
  }
}
