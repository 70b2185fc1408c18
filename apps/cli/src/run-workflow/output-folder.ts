import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { wrongUsage } from '../failure.js';
import { fileErrorText } from '../file-error.js';

/**
 * Wrong usage if outputs cannot be written to the folder of --out. Checked before a job costs anything; creates
 * nothing.
 */
export async function assertOutputFolder(folder: string): Promise<void> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw wrongUsage(
        `--out ${folder} cannot be used: ${fileErrorText(error) ?? error.message}`,
        'choose another folder',
      );
    });
    if (found === null) continue;
    if (!found.isDirectory()) throw notAFolder(folder, path);
    await access(path, constants.W_OK | constants.X_OK).catch((error: unknown) => {
      const reason = fileErrorText(error) ?? String(error);
      throw wrongUsage(`--out ${folder} cannot be written: ${path}: ${reason}`, 'choose another folder');
    });
    return;
  }
}

function notAFolder(folder: string, path: string): Error {
  const nextStep = `choose a folder, for example --out ${path}-outputs`;
  return path === resolve(folder)
    ? wrongUsage(`--out ${folder} is a file, not a folder`, nextStep)
    : wrongUsage(`--out ${folder} cannot be made: ${path} is a file, not a folder`, nextStep);
}
