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

/** Splits `--json --url host:1 jobs list` into options and command. */
export function readCommandLine(given: readonly string[]): CommandLine {
  let at = 0;
  for (let word = given[at]; word?.startsWith('-') === true; word = given[at]) {
    const command = AS_COMMANDS[word];
    if (command !== undefined) return { leading: given.slice(0, at), words: [command, ...given.slice(at + 1)] };
    const flag = word.replace(/=.*$/s, '');
    const option = flag.startsWith('--') ? COMMON_OPTIONS[flag.slice(2)] : undefined;
    if (option === undefined) {
      const usage = Object.keys(COMMON_OPTIONS).map((name) => `--${name}`);
      const meant = new NearestName([...usage, '--version']).of(flag);
      throw wrongUsage(
        meant === null ? `option ${flag} must follow a command` : `unknown option ${flag}; did you mean ${meant}?`,
        `options before the command: ${usage.join(', ')}, --version`,
      );
    }
    const takesNext = option.value !== null && flag === word;
    if (takesNext && (given[at + 1] ?? '-').startsWith('-')) throw wrongUsage(`${flag} takes a value, and none follows it`);
    at += takesNext ? 2 : 1;
  }
  return { leading: given.slice(0, at), words: given.slice(at) };
}
