import type { BuiltinEngine } from '@heddle/engine-builtin';
import type { ComfyUiEngine } from '@heddle/engine-comfyui';
import type { ServiceProcess } from '../process/service-process.js';
import { PROCESS_METRICS } from '../metrics.js';

/** State changes reported by a real engine. */
type EngineNews = Parameters<Parameters<ComfyUiEngine['watch']>[0]>[0];

const STATES = {
  away: 'the engine is unreachable: jobs wait until it answers',
  back: 'the engine answers again',
} as const;

/**
 * Reports in `/readyz`, a metric and the log whether the engine is reachable. A built-in engine cannot go away: returns
 * false, and `onNews` is never called.
 */
export function watchEngine(
  service: Pick<ServiceProcess, 'logger' | 'settings' | 'metrics' | 'addReadiness'>,
  engine: BuiltinEngine | ComfyUiEngine,
  onNews: (news: EngineNews) => void = () => undefined,
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
  engine.watch((news) => {
    away = news.kind === 'away' ? news.reason : null;
    if (news.kind !== 'catalogue') logger.info({ ...news }, STATES[news.kind]);
    onNews(news);
  });
  return true;
}
