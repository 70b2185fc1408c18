import { CliFailure, EXIT } from './failure.js';

const TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'the path is a folder, not a file',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'the path is taken',
  ENOTEMPTY: 'the folder is not empty',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ELOOP: 'too many symbolic links',
  ENOSPC: 'no space is left',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than this system allows',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many open files',
};

/** The machine is at fault, not the command line. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EMFILE']);

/** True if the same command succeeds once the machine has room again. */
export function isOfTheMachine(error: unknown): boolean {
  return error instanceof Error && OF_THE_MACHINE.has((error as NodeJS.ErrnoException).code ?? '');
}

/** Describes a file error for a person; null for other errors. */
export function fileErrorText(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return null;
  if (code === 'ENOENT' && syscall.startsWith('mkd')) return 'nothing can be created there';
  return TEXTS[code] ?? null;
}

const WHOLE: Readonly<Record<string, string>> = { ENOENT: 'does not exist', EISDIR: 'is a folder, not a file' };

/** A file that cannot be read, as one sentence; `named` is its path, or an option with it. */
export function unreadableText(named: string, error: unknown): string {
  const whole = WHOLE[(error as NodeJS.ErrnoException).code ?? ''];
  if (whole !== undefined) return `${named} ${whole}`;
  const reason = fileErrorText(error) ?? (error instanceof Error ? error.message : String(error));
  return `${named} cannot be read: ${reason}`;
}

/**
 * A file that cannot be read or written, as a failure with one sentence; null for other errors. The path is that of the
 * error, unless the caller knows the one that the user gave.
 */
export function fileFailure(error: unknown, given: string | null = null): CliFailure | null {
  const text = fileErrorText(error);
  if (text === null) return null;
  const { code = '', syscall, path, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
  if (syscall === 'uv_cwd')
    return new CliFailure('the current folder does not exist any more', EXIT.usage, 'change to a folder that exists');
  const named = given ?? dest ?? path;
  // Without a path it is not about a file: a socket, for example.
  if (named === undefined) return null;
  const whole = syscall === 'open' || syscall === 'read' ? WHOLE[code] : undefined;
  const message = whole === undefined ? `${named}: ${text}` : `${named} ${whole}`;
  return new CliFailure(message, OF_THE_MACHINE.has(code) ? EXIT.failed : EXIT.usage);
}
