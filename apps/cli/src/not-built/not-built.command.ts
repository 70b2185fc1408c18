import type { Command } from '../command-line/command.js';
import { wrongUsage } from '../failure.js';

const LATER = [{ name: 'registry', why: 'the registry of node packages is a service of its own' }];

/** Commands with reserved names whose services do not exist in this version: they say so and do nothing. */
export const notBuiltCommands: readonly Command[] = LATER.map(({ name, why }) => ({
  name,
  summary: 'not available in this version',
  words: '...',
  options: {},
  examples: [`heddle ${name} --help`],
  raw: true,
  hidden: true,
  notes: () => Promise.resolve([`${why}, which this version does not serve.`]),
  run: () =>
    Promise.reject(
      wrongUsage(`"${name}" is not available on this surface yet: ${why}`, 'heddle --help lists the commands'),
    ),
}));
