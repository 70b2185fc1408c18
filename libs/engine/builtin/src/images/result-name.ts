import { posix } from 'node:path';
import { NodeError } from '../execution/node-error.js';

/** Of 255 bytes of a file name, 16 are left to counter and ending. */
const MAX_BASE_BYTES = 255 - 16;

/** Where the files of one save go: `subfolder` is relative, `base` is what stands before the counter. */
interface ResultPlace {
  readonly subfolder: string;
  readonly base: string;
}

/**
 * The engine's rule for file names: variables in the prefix are filled in with local time and the picture's size, its
 * folders become the subfolder, and a prefix that leaves the output folder is an error of the node.
 */
export function resultName(prefix: string, width: number, height: number, now: Date): ResultPlace {
  const filled = fillVariables(prefix, width, height, now);
  // As Python normalises a path: without the slash at its end.
  const path = posix.normalize(filled === '' ? '.' : filled).replace(/(?<=.)\/+$/, '');
  if (posix.isAbsolute(path) || path === '..' || path.startsWith('../')) {
    throw new NodeError(
      'Exception',
      `**** ERROR: Saving image outside the output folder is not allowed.\n full_output_folder: ${posix.dirname(path)}`,
    );
  }
  const folder = posix.dirname(path);
  const base = posix.basename(path);
  const bytes = Buffer.byteLength(base);
  if (bytes > MAX_BASE_BYTES) {
    const limit = `it has ${bytes} bytes, and at most ${MAX_BASE_BYTES} are allowed`;
    throw new NodeError('OSError', `[Errno 36] File name too long: ${limit}`);
  }
  const control = /[\0-\x1f\x7f]/.exec(path)?.[0];
  if (control !== undefined) {
    const character = `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    throw new NodeError(
      'ValueError',
      `The file name holds the control character ${character}: a name without it is needed`,
    );
  }
  return { subfolder: folder === '.' ? '' : folder, base };
}

function fillVariables(prefix: string, width: number, height: number, now: Date): string {
  if (!prefix.includes('%')) return prefix;
  const two = (value: number): string => String(value).padStart(2, '0');
  const variables: readonly (readonly [string, string])[] = [
    ['%width%', String(width)],
    ['%height%', String(height)],
    ['%year%', String(now.getFullYear())],
    ['%month%', two(now.getMonth() + 1)],
    ['%day%', two(now.getDate())],
    ['%hour%', two(now.getHours())],
    ['%minute%', two(now.getMinutes())],
    ['%second%', two(now.getSeconds())],
  ];
  return variables.reduce((text, [name, value]) => text.replaceAll(name, value), prefix);
}
