import { link, rename, stat } from 'node:fs/promises';

/** Of a file system without hard links: the name is then taken by a rename, after a look. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Names a written file unless the name is taken (false). A link is atomic, so that two runs into one folder lose nothing;
 * a rename would replace what was made at this path in the meantime.
 */
export async function linkNew(partial: string, path: string): Promise<boolean> {
  try {
    await link(partial, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
  }
  if ((await stat(path).catch(() => null)) !== null) return false;
  await rename(partial, path);
  return true;
}
