import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtinObjectInfo } from '@heddle/engine-builtin';
import { startEngineServer } from '@heddle/engine-comfyui-server';
import type { EngineServer } from '@heddle/engine-comfyui-server';
import { ScriptedEngine } from '@heddle/engine-comfyui-server/scripted';
import type { ScriptedEngineOptions } from '@heddle/engine-comfyui-server/scripted';
import { eventually, HeddleClient, send } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll } from 'vitest';

/** An engine that starts before its Heddle and stops after it */
export interface InFront<Engine> {
  readonly engine: Engine;
  readonly client: HeddleClient;
  readonly url: string;
  readonly process: Standalone;
  /** Restarts Heddle on the same data and port. */
  restart(): Promise<void>;
}

/** Starts Heddle in front of a scripted engine, which fails on demand. */
export function useScriptedProxy(
  settings: Readonly<Record<string, string>> = {},
  options: Partial<ScriptedEngineOptions> = {},
): InFront<ScriptedEngine> {
  return useProxy(settings, () => ScriptedEngine.start({ objectInfo: builtinObjectInfo(), ...options }));
}

/** Starts Heddle in front of the built-in engine server, which speaks ComfyUI's protocol. */
export function useServedProxy(
  settings: Readonly<Record<string, string>> = {},
): InFront<EngineServer & { directory: string }> {
  return useProxy(settings, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'heddle-proxy-engine-'));
    const server = await startEngineServer({ directory, port: 0 });
    const close = async (): Promise<void> => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    };
    return { ...server, directory, close };
  });
}

/** `/readyz` of the health port. */
export async function readiness(heddle: Pick<Standalone, 'opsUrl'>): Promise<Readiness> {
  const answer = await send(heddle.opsUrl, { method: 'GET', target: '/readyz' });
  return { status: answer.status, ...(JSON.parse(answer.bytes.toString('utf8')) as Omit<Readiness, 'status'>) };
}

export interface Readiness {
  readonly status: number;
  readonly ready: boolean;
  readonly degraded?: readonly { readonly name: string; readonly reason: string }[];
}

/** Resolves when Heddle reports that its engine is away, or is back. */
export function engineReportedAway(
  heddle: Pick<Standalone, 'opsUrl'>,
  away: boolean,
  withinMs = 45_000,
): Promise<Readiness> {
  return eventually(
    `/readyz telling that the engine is ${away ? 'away' : 'there'}`,
    async () => {
      const told = await readiness(heddle);
      return JSON.stringify(told).includes('is unreachable') === away ? told : null;
    },
    withinMs,
  );
}

/** Settings of a Heddle under test: raised poll limits, and stops that wait for no job. */
export const PROXY_SETTINGS = {
  HEDDLE_READ_RATE: '1000',
  HEDDLE_READ_BURST: '2000',
  HEDDLE_LOG_LEVEL: 'info',
  HEDDLE_DRAIN_S: '0.2',
} as const;

function useProxy<Engine extends { readonly url: string; close(): Promise<void> }>(
  settings: Readonly<Record<string, string>>,
  start: () => Promise<Engine>,
): InFront<Engine> {
  let engine: Engine | undefined;
  let running: Standalone | undefined;
  let client: HeddleClient | undefined;
  const env = (): Record<string, string> => ({ ...PROXY_SETTINGS, ...settings, HEDDLE_ENGINE: started(engine).url });
  beforeAll(async () => {
    engine = await start();
    running = await startStandalone({ env: env() });
    client = await HeddleClient.connect(running.url);
    // The first contact with the engine loads the catalogue.
    await eventually('Heddle being ready', async () => (await readiness(started(running))).ready);
  });
  afterAll(async () => {
    await running?.stop();
    await engine?.close();
  });
  return {
    get engine() {
      return started(engine);
    },
    get client() {
      return started(client);
    },
    get url() {
      return started(running).url;
    },
    get process() {
      return started(running);
    },
    restart: async () => {
      const before = started(running);
      await before.terminate();
      const after = await startStandalone({ env: env(), dataDir: before.dataDir, port: before.port });
      // The first start owns the folder and removes it, so the last `stop` ends both.
      running = { ...after, stop: async () => void (await after.stop(), await before.stop()) };
    },
  };
}

function started<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('engine and Heddle are there only while tests run');
  return thing;
}
