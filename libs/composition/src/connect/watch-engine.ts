import type { BuiltinEngine } from '@heddle/engine-builtin';
import type { ComfyUiEngine, EngineChange } from '@heddle/engine-comfyui';
import type { ServiceProcess } from '../process/service-process.js';
import { PROCESS_METRICS } from '../metrics.js';

type Away = Extract<EngineChange, { readonly kind: 'away' }>;

/** Why nothing can be asked of the engine, for clients too: without what only the operator may know of the machine. */
export function awayText({ answers }: Away): string {
  return answers ? 'HEDDLE_ENGINE answers, but not as ComfyUI' : 'the engine is unreachable';
}

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
  let away: Away | null = isReal ? { kind: 'away', reason: 'it was not reached yet', answers: false } : null;
  metrics.gauge(PROCESS_METRICS.engineAway, () => (away === null ? 0 : 1));
  if (!isReal) return false;
  service.addReadiness({
    name: 'engine',
    optional: true,
    check: () => {
      if (away === null) return null;
      const state = away.answers ? 'answers, but not as ComfyUI' : 'is unreachable';
      return `the engine at ${settings.engine} ${state}: ${away.reason}`;
    },
  });
  engine.watch((change) => {
    away = change.kind === 'away' ? change : null;
    if (change.kind === 'back') logger.info({ ...change }, 'the engine answers again');
    // An engine that is down comes back by itself. A wrong address does not.
    else if (change.kind === 'away' && change.answers) {
      const wrong = `${awayText(change)}: ${change.reason}. Jobs wait: set HEDDLE_ENGINE to the URL of a ComfyUI server`;
      logger.warn({ ...change, engine: settings.engine }, wrong);
    } else if (change.kind === 'away') {
      logger.info({ ...change }, 'the engine is unreachable: jobs wait until it answers');
    }
    onChange(change);
  });
  return true;
}
