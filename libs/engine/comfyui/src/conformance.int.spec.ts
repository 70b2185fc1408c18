import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngineServer } from '@heddle/engine-comfyui-server';
import { describeEngine } from '@heddle/testing-engine';
import { ComfyUiEngine } from './comfyui-engine.js';

process.env['HEDDLE_TEST_NODES'] = '1';

/** The driver with its server; both end together. */
class ServedEngine extends ComfyUiEngine {
  readonly #end: () => Promise<void>;

  constructor(url: string, end: () => Promise<void>) {
    super({ url });
    this.#end = end;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#end();
  }
}

for (const generation of ['0.33.0', '0.3.64'] as const) {
  describeEngine(`the driver in front of the built-in engine's server (as ${generation})`, {
    start: async () => {
      const directory = await mkdtemp(join(tmpdir(), 'heddle-served-engine-'));
      const server = await startEngineServer({ directory, port: 0, generation });
      return new ServedEngine(server.url, async () => {
        await server.close();
        await rm(directory, { recursive: true, force: true });
      });
    },
    concurrency: 2,
    cancelWithinMs: 10_000,
  });
}
