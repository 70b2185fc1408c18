import { rm } from 'node:fs/promises';
import { BuiltinEngine, builtinObjectInfo, type BuiltinEngineOptions } from '@heddle/engine-builtin';
import { ServedFolders } from './files/engine-folders.js';
import { isInputFile, withInputFiles } from './files/input-listing.js';
import type { Generation } from './generation.js';
import { ProtocolServer } from './protocol-server.js';
import { BuiltinRunner } from './running/builtin-runner.js';
import type { EndedRun } from './running/run-queue.js';
import { catalogueCheck } from './validation/catalogue-check.js';

export interface EngineServerOptions {
  /** Contains the folders `input`, `output` and `temp`; `temp` is emptied at start. */
  readonly directory: string;
  /** Default 8188, like the engine; 0 selects a free port. */
  readonly port?: number;
  /** Listen address; default loopback (`127.0.0.1`). */
  readonly host?: string;
  /** The engine generation to imitate (`0.33.0`). */
  readonly generation?: Generation;
  readonly engine?: Omit<BuiltinEngineOptions, 'folders' | 'processes'>;
  /** Called with internal errors, which clients see as a bare 500. */
  readonly onError?: (error: unknown) => void;
  /** Called at the end of each prompt. */
  readonly onEnded?: (ended: EndedRun) => void;
}

/** A running server of the built-in engine. */
export interface EngineServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves the built-in engine under the real engine's HTTP and WebSocket protocol, so that its tools work without a GPU
 * or Python. One prompt runs at a time, as there. Rejects if the port is taken.
 */
export async function startEngineServer(options: EngineServerOptions): Promise<EngineServer> {
  const { directory, port = 8188, host = '127.0.0.1', generation = '0.33.0', onError, onEnded } = options;
  const folders = await ServedFolders.at(directory);
  await rm(folders.path('temp'), { recursive: true, force: true });
  await ServedFolders.at(directory);
  const paths = { input: folders.path('input'), output: folders.path('output'), temp: folders.path('temp') };
  const runner = new BuiltinRunner(() => new BuiltinEngine({ ...options.engine, processes: 1, folders: paths }));
  const objectInfo = builtinObjectInfo();
  const server = new ProtocolServer({
    generation,
    folders,
    objectInfo: () => withInputFiles(objectInfo, paths.input),
    check: catalogueCheck({ generation, objectInfo, isInputFile: (name) => isInputFile(paths.input, name) }),
    runner,
    freeMemory: () => runner.freeMemory(),
    ...(onError === undefined ? {} : { onError }),
    ...(onEnded === undefined ? {} : { onEnded }),
  });
  try {
    const taken = await server.listen(port, host);
    await runner.prestart();
    const shownHost = host.includes(':') ? `[${host}]` : host;
    const close = async (): Promise<void> => {
      await server.close();
      await runner.close();
    };
    return { url: `http://${shownHost}:${taken}`, port: taken, close };
  } catch (error) {
    await runner.close();
    throw error;
  }
}
