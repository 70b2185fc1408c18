import type { ComfyUiEngine, EngineChange } from '@heddle/engine-comfyui';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { ReadinessCheck } from '@heddle/platform-http/ops-server';
import { expect, it } from 'vitest';
import { readSettings } from '../settings/settings.js';
import { watchEngine } from './watch-engine.js';

const ENGINE = 'http://127.0.0.1:8188';
const NOT_FOUND = 'GET /system_stats of the engine: status 404';

it('warns of a server that answers but is no engine, and names HEDDLE_ENGINE', async () => {
  const lines: string[] = [];
  const logger = {
    info: (_: object, text: string) => lines.push(`info ${text}`),
    warn: (_: object, text: string) => lines.push(`warn ${text}`),
  };
  let report: (change: EngineChange) => void = () => undefined;
  const engine = { watch: (told: typeof report) => (report = told) } as unknown as ComfyUiEngine;
  let readiness: ReadinessCheck | undefined;
  const service = {
    logger,
    settings: readSettings({ HEDDLE_ENGINE: ENGINE }),
    metrics: new MetricsRegistry(),
    addReadiness: (check: ReadinessCheck) => (readiness = check),
  };
  watchEngine(service as unknown as Parameters<typeof watchEngine>[0], engine);
  const state = async () => await readiness?.check();

  report({ kind: 'away', reason: 'no connection', answers: false });
  expect(await state()).toBe(`the engine at ${ENGINE} is unreachable: no connection`);
  report({ kind: 'away', reason: NOT_FOUND, answers: true });
  expect(await state()).toBe(`the engine at ${ENGINE} answers, but not as ComfyUI: ${NOT_FOUND}`);
  report({ kind: 'back', environment: 'comfyui/0.33.0' });
  expect(await state()).toBe(null);
  expect(lines).toEqual([
    'info the engine is unreachable: jobs wait until it answers',
    `warn HEDDLE_ENGINE answers, but not as ComfyUI: ${NOT_FOUND}. Jobs wait: set HEDDLE_ENGINE to the URL of a ComfyUI server`,
    'info the engine answers again',
  ]);
});
