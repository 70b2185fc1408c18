import { ApiClient } from './api/api-client.js';
import { COMMANDS, findCommand, groupOf, isOfCommand, unknownCommand } from './command-table.js';
import { Arguments } from './command-line/command.js';
import type { Command } from './command-line/command.js';
import { readCommandLine } from './command-line/leading-options.js';
import { readArguments } from './command-line/read-arguments.js';
import { helpRecord, renderHelp, renderOverview } from './command-line/render-help.js';
import { serviceToken, serviceUrl } from './command-line/service-place.js';
import { CliFailure, codedFailure, EXIT, ListedFailure, wrongUsage } from './failure.js';
import { fileFailure } from './file-error.js';
import { plainText } from './terminal/plain-text.js';
import { Terminal } from './terminal/terminal.js';
import type { TerminalStream } from './terminal/terminal.js';
import type { ProcessVariables } from '@heddle/platform-telemetry';

interface Surroundings {
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
  readonly env: ProcessVariables;
  /** Called with the exit code of a failure, which counts even if the output is not read. */
  readonly failing?: (exitCode: number) => void;
}

/** True if the exit code of the command line is a judgement, such as that of `validate`. */
export function isJudgement(given: readonly string[]): boolean {
  try {
    return findCommand(readCommandLine(given, isOfCommand).words)?.command.judges === true;
  } catch {
    return false;
  }
}

const STEP_INDENT = ' '.repeat('heddle: '.length);

/** Runs one command line and returns its exit code; never throws. */
export async function heddle(given: readonly string[], surroundings: Surroundings): Promise<number> {
  const terminal = new Terminal({ ...surroundings, json: given.includes('--json') });
  const clients: ApiClient[] = [];
  try {
    const { leading, words } = readCommandLine(given, isOfCommand);
    if (words[0] === 'help') return await help(words.slice(1), terminal);
    if (words.length === 0) {
      printOverview(COMMANDS, terminal);
      return EXIT.usage;
    }
    const found = findCommand(words);
    if (found === null && /^(--help|-h)$/.test(words[1] ?? '')) return await help(words.slice(0, 1), terminal);
    if (found === null) throw unknownCommand(words);
    if (found.rest.includes('--help') || found.rest.includes('-h'))
      return await help(found.command.name.split(' '), terminal);
    return await runCommand(found.command, [...leading, ...found.rest], { surroundings, terminal, clients });
  } catch (error) {
    const known = error instanceof CliFailure ? error : fileFailure(error);
    const failure = known ?? unexpected(error, surroundings, terminal);
    surroundings.failing?.(failure.exitCode);
    return printFailure(failure, terminal);
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

/** Help for all commands, for a group such as `assets`, or for one command in full. */
async function help(given: readonly string[], terminal: Terminal): Promise<number> {
  const named = given.filter((word) => !word.startsWith('-'));
  const words = named.length === 1 && named[0] === 'help' ? [] : named;
  const group = words.length === 1 ? groupOf(words[0] ?? '') : COMMANDS;
  // `jobs` is short for one command of its group: its help is that of the group.
  const found = words.length === 1 && group.length > 0 ? null : findCommand(words);
  if (found === null && words.length > 0 && group.length === 0) throw unknownCommand(words);
  if (found === null && words.length > 1) throw unknownCommand(words);
  if (found === null) printOverview(group, terminal);
  else if (terminal.json) terminal.printJson(await helpRecord(found.command));
  else terminal.print((await renderHelp(found.command, terminal.width)).trimEnd());
  return EXIT.done;
}

function printOverview(commands: readonly Command[], terminal: Terminal): void {
  terminal.printJson({ commands: commands.map(({ name, summary }) => ({ name, summary })) });
  if (!terminal.json) terminal.print(renderOverview(commands, terminal.width).trimEnd());
}

interface Running {
  readonly surroundings: Surroundings;
  readonly terminal: Terminal;
  readonly clients: ApiClient[];
}

async function runCommand(command: Command, rest: readonly string[], running: Running): Promise<number> {
  const { surroundings, terminal, clients } = running;
  const { env } = surroundings;
  const { words, options } =
    command.raw === true ? { words: rest, options: new Arguments({}) } : readArguments(command, rest);
  // An empty text is mostly a shell variable without a value.
  if (options.text('token') === '')
    throw wrongUsage('--token is empty', 'leave it out, or set HEDDLE_TOKEN to the token');
  const client = (): ApiClient => {
    const made = new ApiClient(serviceUrl(options, env), serviceToken(options, env));
    clients.push(made);
    return made;
  };
  return command.run({ words, options, terminal, env, client });
}

function printFailure(failure: CliFailure, terminal: Terminal): number {
  const { message, exitCode, nextStep } = failure;
  const hint = nextStep === null ? {} : { hint: nextStep };
  const lines = failure instanceof ListedFailure ? failure.lines : [];
  const problems = lines.length === 0 || failure.error !== null ? {} : { problems: lines };
  const error = failure.error ?? { code: CODES[exitCode] ?? 'failed', message, ...problems };
  terminal.printJson({ event: 'error', error: { ...error, ...hint } });
  terminal.sayWrapped(`${terminal.paint('red', 'heddle:')} ${plainText(message)}`, STEP_INDENT);
  for (const line of lines) terminal.sayWrapped(plainText(line), '    ');
  for (const line of nextStep?.split('\n') ?? []) terminal.sayWrapped(`${STEP_INDENT}${plainText(line)}`, STEP_INDENT);
  return exitCode;
}

const CODES: Readonly<Record<number, string>> = {
  [EXIT.usage]: 'usage',
  [EXIT.unreachable]: 'unreachable',
  [EXIT.interrupted]: 'interrupted',
};

/** A defect, or a failure that nothing describes yet: one line, and the stack only for who looks for the cause. */
function unexpected(error: unknown, { env }: Surroundings, terminal: Terminal): CliFailure {
  if (env['HEDDLE_LOG_LEVEL'] === 'debug' && error instanceof Error) terminal.say(error.stack ?? '');
  const message = `unexpected: ${error instanceof Error ? error.message || error.name : String(error)}`;
  return codedFailure('unexpected', message, EXIT.failed, 'HEDDLE_LOG_LEVEL=debug prints where it happened');
}
