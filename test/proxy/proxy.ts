import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtinObjectInfo } from '@heddle/engine-builtin';
import { startEngineServer } from '@heddle/engine-comfyui-server';
import type { EngineServer } from '@heddle/engine-comfyui-server';
import { ScriptedEngine } from '@heddle/engine-comfyui-server/scripted';
import type { ScriptedEngineOptions } from '@heddle/engine-comfyui-server/scripted';
import { eventually, send } from '@heddle/testing-api';
import { afterAll, beforeAll } from 'vitest';
import { useServer } from '../api/server.js';
import type { TestServer } from '../api/server.js';

/** An engine that is started before a Heddle which is pointed at it, and closed after it. */
export interface InFront<Engine> extends TestServer {
  readonly engine: Engine;
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
export async function readiness(server: TestServer): Promise<Readiness> {
  const answer = await send(server.process.opsUrl, { method: 'GET', target: '/readyz' });
  return { status: answer.status, ...(JSON.parse(answer.bytes.toString('utf8')) as Omit<Readiness, 'status'>) };
}

export interface Readiness {
  readonly status: number;
  readonly ready: boolean;
  readonly degraded?: readonly { readonly name: string; readonly reason: string }[];
}

/** Resolves once Heddle tells that its engine is away (or is there). */
export function engineToldAway(server: TestServer, away: boolean, withinMs = 20_000): Promise<Readiness> {
  return eventually(
    `/readyz telling that the engine is ${away ? 'away' : 'there'}`,
    async () => {
      const told = await readiness(server);
      return JSON.stringify(told).includes('is away') === away ? told : null;
    },
    withinMs,
  );
}

function useProxy<Engine extends { readonly url: string; close(): Promise<void> }>(
  settings: Readonly<Record<string, string>>,
  start: () => Promise<Engine>,
): InFront<Engine> {
  let engine: Engine | undefined;
  // The server reads its settings when it starts, which is after the engine's start: hooks run in this order.
  const late: Record<string, string> = { ...settings };
  beforeAll(async () => {
    engine = await start();
    late['HEDDLE_ENGINE'] = engine.url;
  });
  afterAll(() => engine?.close());
  const server = useServer(late);
  const started = (): Engine => {
    if (engine === undefined) throw new Error('the engine is there only while tests run');
    return engine;
  };
  return {
    get engine() {
      return started();
    },
    get client() {
      return server.client;
    },
    get url() {
      return server.url;
    },
    get process() {
      return server.process;
    },
    restart: (how, changed) => server.restart(how, changed),
  };
}
