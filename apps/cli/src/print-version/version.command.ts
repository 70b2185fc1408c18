import { heddleVersion } from '@heddle/platform-telemetry/version';
import type { Command } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';

export const versionCommand: Command = {
  name: 'version',
  summary: 'the version of this command (also --version)',
  words: '',
  isLocal: true,
  options: {},
  examples: ['heddle version', 'heddle version --json'],
  run({ words, terminal }) {
    if (words.length > 0) throw wrongUsage('version takes no arguments', 'heddle version');
    const version = heddleVersion();
    terminal.printJson({ version });
    if (!terminal.json) terminal.print(`heddle ${version}`);
    return Promise.resolve(EXIT.done);
  },
};
