import { spawn } from 'node:child_process';
import {
  databaseEnvironment,
  pickEnvironment,
  standaloneEnvironment,
} from '@heddle/platform-telemetry/child-environment';
import { program } from '@heddle/platform-telemetry/program';
import type { Command, CommandCall } from '../command-line/command.js';
import { EXIT, failed } from '../failure.js';
import type { Terminal } from '../terminal/terminal.js';

export const serveCommand: Command = {
  name: 'serve',
  summary: 'run Heddle in the foreground: the whole service in one process',
  words: '[--SETTING VALUE...]',
  isLocal: true,
  options: {},
  examples: ['heddle serve', 'heddle serve --port 9000 --data /var/lib/heddle --workers 2'],
  // Loaded on demand: other commands start without it.
  notes: async () => {
    const { renderSettings, SETTINGS } = await import('@heddle/composition');
    return renderSettings(Object.values(SETTINGS));
  },
  flags: async () => {
    const { flagOf, SETTINGS } = await import('@heddle/composition');
    return Object.values(SETTINGS).map(flagOf);
  },
  raw: true,
  run: serve,
};

/** What the service shows on a terminal depends on these. */
const OF_THE_TERMINAL = new Set(['NO_COLOR', 'TERM', 'COLUMNS']);
/** They say where the command finds a service. Told of a service, they would be mistakes. */
const OF_THE_COMMAND = [
  'HEDDLE_URL',
  'HEDDLE_TOKEN',
  'HEDDLE_TOKEN_FILE',
  'HEDDLE_REGISTRY_URL',
  'HEDDLE_REGISTRY_TOKEN',
];

function terminalEnvironment(env: CommandCall['env']): Record<string, string | undefined> {
  const own = Object.fromEntries(OF_THE_COMMAND.map((name) => [name, undefined]));
  return { ...pickEnvironment(env, (name) => OF_THE_TERMINAL.has(name)), ...own };
}

/** A separate process, so that the service starts as it does elsewhere; this one only forwards signals. */
async function serve({ words, env, terminal }: CommandCall): Promise<number> {
  // Refused here in words: the service could not start in a folder that was removed.
  process.cwd();
  // The service always prints one line on standard output and its log as JSON lines.
  const flags = words.filter((word) => word !== '--json');
  const child = spawn(process.execPath, [...program('standalone'), ...flags], {
    stdio: ['inherit', 'inherit', terminal.json ? 'pipe' : 'inherit'],
    env: { ...standaloneEnvironment(env), ...databaseEnvironment(env), ...terminalEnvironment(env) },
  });
  let lastWords = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk);
    lastWords = (lastWords + chunk.toString()).slice(-LAST_CHARACTERS);
  });
  const onTerminal = process.stdin.isTTY === true;
  // On a terminal Ctrl-C reaches the service directly; a second signal would interrupt its orderly stop.
  process.on('SIGINT', () => (onTerminal ? undefined : child.kill('SIGINT')));
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.once('error', (error) => fail(failed(`Heddle cannot be started: ${error.message}`)));
    // Later than `exit`: what the service has said is complete.
    child.once('close', (code, signal) => {
      const ended = code ?? (signal === 'SIGINT' ? EXIT.interrupted : EXIT.failed);
      if (ended !== EXIT.done) printEnd(ended, lastWords, terminal);
      done(ended);
    });
  });
}

/** What the service said before its end, between the lines of its log. */
const LAST_CHARACTERS = 10_000;
const PREFIX = 'heddle: ';

/** The line of a failure: the service has said the words already, on standard error. */
function printEnd(exitCode: number, lastWords: string, terminal: Terminal): void {
  const said = lastWords.split('\n').filter((line) => line.startsWith(PREFIX));
  const message = said.map((line) => line.slice(PREFIX.length)).join('\n') || `Heddle ended with exit code ${exitCode}`;
  const codes: Readonly<Record<number, string>> = { [EXIT.usage]: 'usage', [EXIT.interrupted]: 'interrupted' };
  terminal.printJson({ event: 'error', error: { code: codes[exitCode] ?? 'failed', message } });
}
