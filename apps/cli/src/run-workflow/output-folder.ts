import { mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { failed, wrongUsage } from '../failure.js';
import { fileErrorText, isOfTheMachine } from '../file-error.js';

/**
 * Wrong usage if nothing can be written to the folder of an option. Checked before a job costs anything; leaves nothing
 * behind.
 */
export async function assertOutputFolder(folder: string, option = 'out'): Promise<void> {
  if (folder === '') throw wrongUsage(`--${option} is empty`, `name a folder, for example --${option} results`);
  for (let path = resolve(folder); ; path = dirname(path)) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw wrongUsage(
        `--${option} ${folder} cannot be used: ${fileErrorText(error) ?? error.message}`,
        'choose another folder',
      );
    });
    if (found === null) continue;
    if (!found.isDirectory()) throw notAFolder(folder, path, option);
    return await assertRoomIn(path, folder, option);
  }
}

/** Permissions alone do not tell it: nobody can make a folder in /proc, whatever its mode says. */
async function assertRoomIn(path: string, folder: string, option: string): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(path, '.heddle-')));
  } catch (error) {
    const reason = fileErrorText(error) ?? String(error);
    const refuse = isOfTheMachine(error) ? failed : wrongUsage;
    throw refuse(`--${option} ${folder} cannot be written: ${path}: ${reason}`, 'choose another folder');
  }
}

/** Makes a folder and the missing ones above it. `mkdir` with `recursive` never ends in a place such as /proc. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      if ((await stat(folder)).isDirectory()) return;
      throw wrongUsage(`${folder} is a file, not a folder`, 'choose another folder');
    }
    const above = dirname(folder);
    if (code !== 'ENOENT' || above === folder || (await stat(above).catch(() => null)) !== null) throw error;
    await makeFolder(above);
    await makeFolder(folder);
  }
}

function notAFolder(folder: string, path: string, option: string): Error {
  const nextStep = `choose a folder, for example --${option} ${path}-outputs`;
  return path === resolve(folder)
    ? wrongUsage(`--${option} ${folder} is a file, not a folder`, nextStep)
    : wrongUsage(`--${option} ${folder} cannot be made: ${path} is a file, not a folder`, nextStep);
}
