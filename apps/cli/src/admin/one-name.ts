import { wrongUsage } from '../failure.js';

/** The only argument of a command, as a part of a path. */
export function oneName(words: readonly string[], command: string, what: string): string {
  const [name, ...rest] = words;
  if (name === undefined || name === '')
    throw wrongUsage(`${command} takes ${what}`, `heddle help ${command} explains it`);
  if (rest.length > 0) throw wrongUsage(`${command} takes one argument, not ${words.length}`);
  return name;
}

export function noWords(words: readonly string[], command: string): void {
  if (words.length > 0) throw wrongUsage(`${command} takes no arguments`, `heddle help ${command} lists the options`);
}
