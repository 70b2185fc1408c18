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

/** An engine that is started before a Heddle which is pointed at it, and closed after it. */
export interface InFront<Engine> {
  readonly engine: Engine;
  readonly client: HeddleClient;
  readonly url: string;
  readonly process: Standalone;
  /** Ends Heddle and starts it again on the same data and port. */
  restart(): Promise<void>;
}

/** Heddle as its users start it, in front of an engine that plays scripts and breaks as it is told. */
export function useScriptedProxy(
  settings: Readonly<Record<string, string>> = {},
  options: Partial<ScriptedEngineOptions> = {},
): InFront<ScriptedEngine> {
  return useProxy(settings, () => ScriptedEngine.start({ objectInfo: builtinObjectInfo(), ...options }));
}

/** Heddle in front of the built-in engine, which speaks the real engine's protocol on a port of its own. */
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

/** `/readyz` of the ops port: what is missing, and what works less well than it should. */
export async function readiness(heddle: Pick<Standalone, 'opsUrl'>): Promise<Readiness> {
  const answer = await send(heddle.opsUrl, { method: 'GET', target: '/readyz' });
  return { status: answer.status, ...(JSON.parse(answer.bytes.toString('utf8')) as Omit<Readiness, 'status'>) };
}

export interface Readiness {
  readonly status: number;
  readonly ready: boolean;
  readonly degraded?: readonly { readonly name: string; readonly reason: string }[];
}

/** Resolves once Heddle tells that its engine is away (or is there). */
export function engineToldAway(
  heddle: Pick<Standalone, 'opsUrl'>,
  away: boolean,
  withinMs = 45_000,
): Promise<Readiness> {
  return eventually(
    `/readyz telling that the engine is ${away ? 'away' : 'there'}`,
    async () => {
      const told = await readiness(heddle);
      return JSON.stringify(told).includes('is away') === away ? told : null;
    },
    withinMs,
  );
}

/** Settings of a Heddle under test: polling that the tests' pace does not exhaust, and stops that wait for no job. */
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
    // The catalogue comes with the first look at the engine.
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
      // The folder belongs to the first start, which removes it: the last `stop` has to end both.
      running = { ...after, stop: async () => void (await after.stop(), await before.stop()) };
    },
  };
}

function started<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('engine and Heddle are there only while tests run');
  return thing;
}
