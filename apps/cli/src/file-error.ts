const TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'the path is a folder, not a file',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'the path is taken',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many open files',
};

/** Describes a file error for a person; null for other errors. */
export function fileErrorText(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return null;
  return TEXTS[code] ?? null;
}
