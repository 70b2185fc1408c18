import { resolve } from 'node:path';
import type { EngineServer, EngineServerOptions } from '@heddle/engine-comfyui-server';
import type { Command, CommandCall } from '../command-line/command.js';
import { wholeNumber } from '../command-line/read-arguments.js';
import { EXIT, failed, wrongUsage } from '../failure.js';
import { fileErrorText } from '../file-error.js';
import type { Terminal } from '../terminal/terminal.js';

const DEFAULT_PORT = 8188;
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_DATA = '.heddle/engine';
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/;

export const engineCommand: Command = {
  name: 'engine',
  summary: "serve the built-in engine under ComfyUI's own HTTP and WebSocket protocol",
  words: '',
  isLocal: true,
  options: {
    port: { value: 'PORT', meaning: `listen port (${DEFAULT_PORT}); 0: any free port` },
    host: { value: 'HOST', meaning: `listen address (${DEFAULT_HOST}); requests need no password` },
    data: { value: 'DIR', meaning: `folder for input, output and temp (${DEFAULT_DATA}); temp is emptied` },
  },
  examples: ['heddle engine', 'heddle engine --port 9188 --data /var/lib/heddle/engine'],
  notes: () =>
    Promise.resolve([
      'Compatible with tools for ComfyUI. Runs every node that needs neither a model nor a GPU.',
      'Prints "heddle engine ready URL" when it accepts prompts. SIGTERM and Ctrl-C stop it.',
    ]),
  run: serveEngine,
};

async function serveEngine({ words, options, terminal }: CommandCall): Promise<number> {
  if (words.length > 0) throw wrongUsage('engine takes no arguments', 'heddle engine --help lists its options');
  const host = options.text('host') ?? DEFAULT_HOST;
  const port = wholeNumber(options, 'port', { min: 0, max: 65_535 }) ?? DEFAULT_PORT;
  const directory = resolve(options.text('data') ?? DEFAULT_DATA);
  const stopped = new Promise<void>((done) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => done());
  });
  if (!LOOPBACK.test(host)) terminal.say(`Anyone who can reach ${host} can run graphs and read their files.`);
  const server = await start({
    directory,
    host,
    port,
    onError: (error) => printError(error, terminal),
    onEnded: ({ id, status, milliseconds }) => terminal.printJson({ event: 'prompt', id, status, milliseconds }),
  });
  if (terminal.json) terminal.printJson({ event: 'ready', url: server.url, data: directory });
  else terminal.print(`heddle engine ready ${server.url}`);
  await stopped;
  await server.close();
  terminal.printJson({ event: 'stopped' });
  return EXIT.done;
}

async function start(options: EngineServerOptions): Promise<EngineServer> {
  // Loaded on demand: other commands start without the engine.
  const { startEngineServer } = await import('@heddle/engine-comfyui-server');
  try {
    return await startEngineServer(options);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    const { host, port, directory } = options;
    const { portRefusal } = await import('@heddle/composition');
    const refusal =
      code === 'EADDRINUSE' || code === 'EACCES' ? portRefusal(error, '--port', port ?? DEFAULT_PORT) : null;
    if (refusal !== null && syscall === 'listen') throw wrongUsage(refusal);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw failed(`this machine has no address ${host}`);
    if (syscall === 'listen')
      throw failed(
        `port ${port} of ${host} cannot be used: ${fileErrorText(error) ?? code}`,
        'choose another one with --port',
      );
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw wrongUsage(
        `--data ${directory} is a file, not a folder, or lies below one`,
        'choose another folder with --data',
      );
    const reason = fileErrorText(error);
    if (reason !== null)
      throw wrongUsage(`--data ${directory} cannot be used: ${reason}`, 'choose another folder with --data');
    throw error;
  }
}

function printError(error: unknown, terminal: Terminal): void {
  const message = error instanceof Error ? error.message : 'unknown failure';
  if (terminal.json) terminal.printJson({ event: 'error', error: { code: 'engine_error', message } });
  else terminal.say(`a request was answered with 500: ${message}`);
}
