import { spawn } from 'node:child_process';
import { databaseEnvironment, standaloneEnvironment } from '@heddle/platform-telemetry/child-environment';
import { program } from '@heddle/platform-telemetry/program';
import type { Command, CommandCall } from '../command-line/command.js';
import { EXIT, failed } from '../failure.js';

export const serveCommand: Command = {
  name: 'serve',
  summary: 'run Heddle in the foreground: the whole service in one process',
  words: '[--SETTING VALUE...]',
  options: {},
  examples: ['heddle serve', 'heddle serve --port 9000 --data /var/lib/heddle --workers 2'],
  // Loaded when somebody asks: every other command starts without it.
  notes: async () => {
    const { renderSettings, SETTINGS } = await import('@heddle/composition');
    return renderSettings(Object.values(SETTINGS));
  },
  raw: true,
  run: serve,
};

/** A process of its own, so that the service starts as it does everywhere else and this one only passes signals on. */
async function serve({ words, env }: CommandCall): Promise<number> {
  // It prints one line on standard output and its log as JSON lines whether or not anybody asks.
  const flags = words.filter((word) => word !== '--json');
  const child = spawn(process.execPath, [...program('standalone'), ...flags], {
    stdio: 'inherit',
    env: { ...standaloneEnvironment(env), ...databaseEnvironment(env) },
  });
  const onTerminal = process.stdin.isTTY === true;
  // On a terminal Ctrl-C reaches the service by itself; a second signal would cut its orderly stop short.
  process.on('SIGINT', () => (onTerminal ? undefined : child.kill('SIGINT')));
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.once('error', (error) => fail(failed(`Heddle cannot be started: ${error.message}`)));
    child.once('exit', (code, signal) => done(code ?? (signal === 'SIGINT' ? EXIT.interrupted : EXIT.failed)));
  });
}
