import type { Command } from '../command-line/command.js';
import { wrongUsage } from '../failure.js';

const LATER: Readonly<Record<string, string>> = {
  keys: 'API keys belong to the managed and dedicated surfaces',
  accounts: 'accounts belong to the managed and dedicated surfaces',
  credits: 'credits belong to the managed and dedicated surfaces',
  deployments: 'deployments belong to the dedicated surface',
  registry: 'the registry of node packages is a service of its own',
};

/** Commands with reserved names whose services do not exist in this version: they say so and do nothing. */
export const notBuiltCommands: readonly Command[] = Object.entries(LATER).map(([name, why]) => ({
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
