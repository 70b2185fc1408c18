import { heddleVersion } from '@heddle/platform-telemetry/version';
import type { Command } from '../command-line/command.js';
import { EXIT } from '../failure.js';

export const versionCommand: Command = {
  name: 'version',
  summary: 'the version of this command (also --version)',
  words: '',
  options: {},
  examples: ['heddle version', 'heddle version --json'],
  run({ terminal }) {
    const version = heddleVersion();
    terminal.printJson({ version });
    if (!terminal.json) terminal.print(`heddle ${version}`);
    return Promise.resolve(EXIT.done);
  },
};
