import { wrapShell, wrapText } from '../terminal/text-width.js';
import { offeredOptions } from './command.js';
import type { Command, Option } from './command.js';

/** The first page: one line per command, below the title of its section. */
export function renderOverview(commands: readonly Command[], width: number): string {
  return [
    'heddle: run workflow graphs as durable jobs',
    '',
    'usage: heddle COMMAND [options]',
    '',
    ...sections(commands, width),
    '',
    'heddle help COMMAND explains a command, heddle --version prints the version.',
    ...wrapText(
      'Every command takes --json and --help; commands that call the service take --url and --token.',
      width,
      '',
    ),
    ...wrapText(
      'Exit codes: 0 done, 1 the job or request failed, 2 wrong usage, 3 the service cannot be reached, 130 interrupted.',
      width,
      '            ',
    ),
    '',
  ].join('\n');
}

/** By the first word of a command; `Operators` has every other one. */
const SECTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['Jobs', ['run', 'validate', 'watch', 'cancel', 'jobs']],
  ['Assets', ['assets']],
  ['Registry of node packages', ['registry']],
  ['History', ['history']],
  ['Operators', []],
  ['This command', ['version', 'completion']],
];

function sectionOf({ name, options }: Command): string {
  const [word = ''] = name.split(' ');
  // A call of the admin API is an operator's, whatever it is about.
  const section = Object.hasOwn(options, 'admin-url') ? undefined : SECTIONS.find(([, words]) => words.includes(word));
  return section?.[0] ?? 'Operators';
}

function sections(commands: readonly Command[], width: number): string[] {
  const left = Math.max(0, ...commands.map(({ name }) => name.length));
  const parts = SECTIONS.map(([title]) => {
    const own = commands.filter((command) => sectionOf(command) === title);
    const rows = own.map(({ name, summary }) => [name, summary] as const);
    return { title, lines: columns(rows, width, left) };
  }).filter(({ lines }) => lines.length > 0);
  // The commands of one group mostly need no title.
  if (parts.length === 1) return parts.flatMap(({ lines }) => lines);
  return parts.flatMap(({ title, lines }, at) => [...(at === 0 ? [] : ['']), `${title}:`, ...lines]);
}

/** The help of a command for --json. */
export async function helpRecord(command: Command): Promise<object> {
  const { name, summary, examples, raw } = command;
  const options = Object.entries(raw === true ? {} : offeredOptions(command));
  return {
    name,
    summary,
    usage: usageOf(command),
    options: options.map(([option, { value, meaning, multiple }]) => ({
      name: `--${option}`,
      value,
      meaning,
      multiple: multiple === true,
    })),
    notes: (await command.notes?.()) ?? [],
    examples,
  };
}

function usageOf({ name, words, options }: Command): string {
  const given = words === '' ? '' : ` ${words}`;
  return `heddle ${name}${given}${Object.keys(options).length > 0 ? ' [options]' : ''}`;
}

export async function renderHelp(command: Command, width: number): Promise<string> {
  const notes = (await command.notes?.()) ?? [];
  const options = Object.entries(offeredOptions(command)).map(optionColumns);
  return [
    ...wrapText(`heddle ${command.name}: ${command.summary}`, width, '  '),
    '',
    `usage: ${usageOf(command)}`,
    ...(command.raw === true ? [] : ['', ...columns(options, width)]),
    ...(notes.length > 0 ? ['', ...notes.flatMap((note) => wrapText(note, width, indentOf(note)))] : []),
    '',
    command.examples.length > 1 ? 'examples:' : 'example:',
    ...command.examples.flatMap((example) => wrapShell(`  ${example}`, width, '    ')),
    '',
  ].join('\n');
}

function optionColumns([name, { value, meaning, multiple }]: readonly [string, Option]): [string, string] {
  return [`--${name}${value === null ? '' : ` ${value}`}`, `${meaning}${multiple === true ? ' (several times)' : ''}`];
}

/** Two columns; the second wraps if the terminal is narrow. */
function columns(rows: readonly (readonly [string, string])[], width: number, given?: number): string[] {
  const left = given ?? Math.max(0, ...rows.map(([text]) => text.length));
  const indent = ' '.repeat(left + 4);
  return rows.flatMap(([text, meaning]) => wrapText(`  ${text.padEnd(left)}  ${meaning}`, width, indent));
}

function indentOf(note: string): string {
  return / */.exec(note)?.[0] ?? '';
}
