import { COMMON_OPTIONS } from './command.js';
import type { Command, Option } from './command.js';

/** The first page: every command in one line. */
export function renderOverview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return [
    'heddle: run workflow graphs as durable jobs',
    '',
    'usage: heddle COMMAND [options]',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
    '',
    'Every command takes --url, --token, --json and --help.',
    'Exit codes: 0 done, 1 the job or request failed, 2 wrong usage, 3 the service cannot be reached.',
    '',
  ].join('\n');
}

export async function renderHelp(command: Command): Promise<string> {
  const words = command.words === '' ? '' : ` ${command.words}`;
  const own = Object.entries(command.options);
  const notes = (await command.notes?.()) ?? [];
  return [
    `heddle ${command.name}: ${command.summary}`,
    '',
    `usage: heddle ${command.name}${words}${own.length > 0 ? ' [options]' : ''}`,
    ...(command.raw === true ? [] : ['', ...optionLines([...own, ...Object.entries(COMMON_OPTIONS)])]),
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
    command.examples.length > 1 ? 'examples:' : 'example:',
    ...command.examples.map((example) => `  ${example}`),
    '',
  ].join('\n');
}

function optionLines(options: readonly (readonly [string, Option])[]): string[] {
  const left = options.map(([name, option]) => `--${name}${option.value === null ? '' : ` ${option.value}`}`);
  const width = Math.max(0, ...left.map((text) => text.length));
  return options.map(([, option], at) => {
    const several = option.multiple === true ? ' (several times)' : '';
    return `  ${(left[at] ?? '').padEnd(width)}  ${option.meaning}${several}`;
  });
}
