import { ApiClient } from './api/api-client.js';
import { ApiError } from './api/api-error.js';
import { COMMANDS, findCommand, groupOf } from './command-table.js';
import type { Command } from './command-line/command.js';
import { readArguments } from './command-line/read-arguments.js';
import { renderHelp, renderOverview } from './command-line/render-help.js';
import { Arguments } from './command-line/command.js';
import { CliFailure, EXIT } from './failure.js';
import { plainText } from './terminal/plain-text.js';
import { Terminal } from './terminal/terminal.js';
import type { TerminalStream } from './terminal/terminal.js';
import { problemLines } from './validate-graphs/render-verdict.js';

export interface Surroundings {
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_URL = 'http://127.0.0.1:8189';

/** Runs one command line and answers its exit code; nothing is thrown but bugs. */
export async function heddle(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const json = words.includes('--json');
  const terminal = new Terminal({ ...surroundings, json });
  const clients: ApiClient[] = [];
  try {
    if (words.length === 0 || ['--help', '-h', 'help'].includes(words[0] ?? '')) {
      surroundings.stdout.write(renderOverview(COMMANDS));
      return words.length === 0 ? EXIT.usage : EXIT.done;
    }
    const found = findCommand(words);
    if (found === null) return unknownCommand(words, surroundings);
    if (found.rest.includes('--help') || found.rest.includes('-h')) {
      surroundings.stdout.write(await renderHelp(found.command));
      return EXIT.done;
    }
    return await runCommand(found.command, found.rest, { surroundings, terminal, clients });
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    return tellFailure(error, terminal);
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
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
  const client = (): ApiClient => {
    const url = options.text('url') ?? set(env['HEDDLE_URL']) ?? DEFAULT_URL;
    const token = options.text('token') ?? set(env['HEDDLE_TOKEN']) ?? set(env['HEDDLE_STATIC_TOKEN']);
    const made = new ApiClient(url, token);
    clients.push(made);
    return made;
  };
  return command.run({ words, options, terminal, env, client });
}

function unknownCommand(words: readonly string[], { stderr, stdout }: Surroundings): number {
  const group = groupOf(words[0] ?? '');
  if (group.length > 0) {
    const asked = words.includes('--help');
    (asked ? stdout : stderr).write(renderOverview(group));
    return asked ? EXIT.done : EXIT.usage;
  }
  stderr.write(`heddle: no command "${plainText(words[0] ?? '')}"; heddle --help lists what there is\n`);
  return EXIT.usage;
}

function tellFailure(failure: CliFailure, terminal: Terminal): number {
  const code =
    failure.exitCode === EXIT.usage ? 'usage' : failure.exitCode === EXIT.unreachable ? 'unreachable' : 'failed';
  terminal.printJson({ event: 'error', error: failure.error ?? { code, message: failure.message } });
  terminal.say(`${terminal.paint('red', 'heddle:')} ${plainText(failure.message)}`);
  if (failure instanceof ApiError) for (const line of problemLines(failure.details)) terminal.say(line);
  if (failure.nextStep !== null) terminal.say(`        ${plainText(failure.nextStep)}`);
  return failure.exitCode;
}

/** An empty environment variable counts as unset. */
function set(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}
