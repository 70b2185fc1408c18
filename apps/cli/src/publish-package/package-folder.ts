import { wrongUsage } from '../failure.js';

/** The folder of a package: the only argument, or the current folder. */
export function packageFolder(words: readonly string[], command: string): string {
  const [folder = '.', ...rest] = words;
  if (rest.length > 0) throw wrongUsage(`${command} takes one folder, not ${words.length}`);
  return folder;
}
