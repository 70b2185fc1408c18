import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngineServer } from '@heddle/engine-comfyui-server';
import type { EngineServer } from '@heddle/engine-comfyui-server';
import { afterAll, beforeAll } from 'vitest';

/** Engines behind Heddle in the client suites: the built-in one, or an engine server with ComfyUI's protocol */
export const ENGINES = ['the built-in engine', 'an engine server'] as const;

/** Starts the engine server if it is chosen, and adds its address to the settings before Heddle starts. */
export function useEngineBehind(engine: (typeof ENGINES)[number], settings: Record<string, string>): void {
  if (engine === 'the built-in engine') return;
  let server: EngineServer | undefined;
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'heddle-clients-engine-'));
    process.env['HEDDLE_TEST_NODES'] = '1';
    server = await startEngineServer({ directory, port: 0 });
    settings['HEDDLE_ENGINE'] = server.url;
  });
  afterAll(async () => {
    delete process.env['HEDDLE_TEST_NODES'];
    await server?.close();
    await rm(directory, { recursive: true, force: true });
  });
}
