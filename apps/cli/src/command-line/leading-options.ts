import { NearestName } from '@heddle/workflow-graph/nearest-name';
import { wrongUsage } from '../failure.js';
import { COMMON_OPTIONS } from './command.js';

interface CommandLine {
  /** Options before the command; they mean the same after it. */
  readonly leading: readonly string[];
  /** The command and its arguments. */
  readonly words: readonly string[];
}

/** Short and long flags that are commands. */
const AS_COMMANDS: Readonly<Record<string, string>> = {
  '-h': 'help',
  '--help': 'help',
  '-V': 'version',
  '--version': 'version',
};

/** Splits `--json --url host:1 jobs list` into options and command. `isOfCommand` knows the options of all commands. */
export function readCommandLine(given: readonly string[], isOfCommand: (option: string) => boolean): CommandLine {
  let at = 0;
  for (let word = given[at]; word?.startsWith('-') === true; word = given[at]) {
    const command = AS_COMMANDS[word];
    if (command !== undefined) return { leading: given.slice(0, at), words: [command, ...given.slice(at + 1)] };
    const flag = word.replace(/=.*$/s, '');
    const option = flag.startsWith('--') ? COMMON_OPTIONS[flag.slice(2)] : undefined;
    if (option === undefined) {
      const usage = [...Object.keys(COMMON_OPTIONS), 'version'];
      const name = flag.startsWith('--') ? flag.slice(2) : null;
      const meant = name === null ? null : new NearestName(usage).of(name);
      throw wrongUsage(
        name !== null && isOfCommand(name)
          ? `option ${flag} must follow a command`
          : `unknown option ${flag}${meant === null ? '' : `; did you mean --${meant}?`}`,
        `options before the command: ${usage.map((option) => `--${option}`).join(', ')}`,
      );
    }
    const takesNext = option.value !== null && flag === word;
    if (takesNext && (given[at + 1] ?? '-').startsWith('-'))
      throw wrongUsage(`${flag} takes a value, and none follows it`);
    at += takesNext ? 2 : 1;
  }
  return { leading: given.slice(0, at), words: given.slice(at) };
}
