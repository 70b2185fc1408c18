import type { EngineOutcome, EngineRun } from '@heddle/engine-port';
import { RecordingObserver } from '@heddle/testing-engine';
import { ScriptedEngine } from '@heddle/engine-comfyui-server/scripted';
import type { ScriptedEngineOptions } from '@heddle/engine-comfyui-server/scripted';
import { ComfyUiEngine } from './comfyui-engine.js';
import type { ComfyUiOptions, EngineTiming } from './engine-options.js';

/**
 * Short intervals, so that minutes become moments here. Time-outs after which a healthy engine would look broken are
 * longer than any pause of this process, which also plays the engine.
 */
export const FAST: Partial<EngineTiming> = {
  callMs: 3_000,
  transferIdleMs: 4_000,
  pollMs: 300,
  blindPollMs: 100,
  vanishedMs: 400,
  unreachableMs: 3_000,
  silentMs: 4_000,
  cancelMs: 3_000,
  pingMs: 10_000,
  reconnectMs: 200,
  watchMs: 300,
};

export const GRAPH = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'drive' } },
};

/** A scripted engine with its driver. */
export class ScriptedDrive {
  readonly #extra: ComfyUiEngine[] = [];

  private constructor(
    readonly engine: ScriptedEngine,
    readonly driver: ComfyUiEngine,
  ) {}

  static async start(
    engineOptions: ScriptedEngineOptions = {},
    options: Partial<ComfyUiOptions> = {},
  ): Promise<ScriptedDrive> {
    const engine = await ScriptedEngine.start(engineOptions);
    const driver = new ComfyUiEngine({ url: engine.url, timing: FAST, ...options });
    await driver.whenReady(AbortSignal.timeout(20_000));
    // It accepts calls before its socket is open.
    await until(() => engine.socketCount === 1);
    return new ScriptedDrive(engine, driver);
  }

  /** Another driver of the same engine; closed with the rest. */
  another(options: Partial<ComfyUiOptions> = {}): ComfyUiEngine {
    const driver = new ComfyUiEngine({ url: this.engine.url, timing: FAST, ...options });
    this.#extra.push(driver);
    return driver;
  }

  run(
    observer = new RecordingObserver(),
    parts: Partial<EngineRun> & { readonly graph?: object; readonly signal?: AbortSignal } = {},
  ): Promise<EngineOutcome> {
    const { graph = GRAPH, signal = new AbortController().signal, ...request } = parts;
    const workflow = Buffer.from(JSON.stringify(graph));
    return this.driver.run({ runId: crypto.randomUUID(), workflow, files: [], ...request }, observer, signal);
  }

  /** Requests of one route that reached the engine, faults included. */
  requestsOf(method: string, path: string): number {
    return this.engine.requests.filter((seen) => seen.method === method && seen.path.split('?')[0] === path).length;
  }

  async close(): Promise<void> {
    for (const driver of [this.driver, ...this.#extra]) await driver.close();
    await this.engine.close();
  }
}

/** Resolves once the condition holds; fails after the limit. */
export async function until(condition: () => boolean, limitMs = 30_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`timed out after ${limitMs} ms waiting for: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
