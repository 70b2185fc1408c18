import { NearestName } from '@heddle/workflow-graph/nearest-name';
import type { Arguments } from '../command-line/command.js';
import { wrongUsage } from '../failure.js';

/** The values of an option `a,b`; null: it is not given. */
export function listed(options: Arguments, name: string): readonly string[] | null {
  const text = options.text(name);
  if (text === null) return null;
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

/** A value that is one of a few; another one is wrong usage, with the nearest. */
export function oneOf(value: string, choices: readonly string[], option: string): string {
  if (choices.includes(value)) return value;
  const meant = new NearestName(choices).of(value);
  const hint = meant === null ? '' : `; did you mean ${meant}?`;
  throw wrongUsage(`--${option} "${value}" is unknown${hint}`, `--${option} takes ${choices.join(', ')}`);
}
