import type { BuiltinEngine } from '@heddle/engine-builtin';
import type { ComfyUiEngine, EngineChange } from '@heddle/engine-comfyui';
import type { ServiceProcess } from '../process/service-process.js';
import { PROCESS_METRICS } from '../metrics.js';

const STATES = {
  away: 'the engine is unreachable: jobs wait until it answers',
  back: 'the engine answers again',
} as const;

/**
 * Reports in `/readyz`, a metric and the log whether the engine is reachable. A built-in engine cannot go away: returns
 * false, and `onChange` is never called.
 */
export function watchEngine(
  service: Pick<ServiceProcess, 'logger' | 'settings' | 'metrics' | 'addReadiness'>,
  engine: BuiltinEngine | ComfyUiEngine,
  onChange: (change: EngineChange) => void = () => undefined,
): engine is ComfyUiEngine {
  const { logger, settings, metrics } = service;
  const isReal = 'watch' in engine;
  let away = isReal ? 'it was not reached yet' : null;
  metrics.gauge(PROCESS_METRICS.engineAway, () => (away === null ? 0 : 1));
  if (!isReal) return false;
  service.addReadiness({
    name: 'engine',
    optional: true,
    check: () => (away === null ? null : `the engine at ${settings.engine} is unreachable: ${away}`),
  });
  engine.watch((change) => {
    away = change.kind === 'away' ? change.reason : null;
    if (change.kind !== 'catalogue') logger.info({ ...change }, STATES[change.kind]);
    onChange(change);
  });
  return true;
}
