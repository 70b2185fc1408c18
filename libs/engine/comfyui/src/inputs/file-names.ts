/** An input file that cannot be delivered to the engine; the message says why and what to do. */
export class InputRefused extends Error {}

/** Name and folder of an input file for the engine. */
interface PlacedName {
  readonly subfolder: string;
  readonly filename: string;
}

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_.() -]{0,199}$/;

/**
 * Splits a name below the engine's input folder. The engine itself would follow `..` and absolute paths, so only plain
 * segments are allowed.
 * @throws InputRefused
 */
export function splitName(name: string): PlacedName {
  const segments = name.split('/');
  const isSafe = segments.length <= 8 && segments.every((segment) => SEGMENT.test(segment) && !segment.endsWith('.'));
  if (!isSafe) throw new InputRefused('the name of an input file is not a plain path below the input folder');
  return { subfolder: segments.slice(0, -1).join('/'), filename: segments.at(-1) ?? '' };
}

/** Path at which the engine serves a file of its input folder. */
export function inputViewPath({ subfolder, filename }: PlacedName): string {
  return `/view?${new URLSearchParams({ filename, subfolder, type: 'input' }).toString()}`;
}
