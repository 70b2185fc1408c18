import { BuiltinEngine } from '@heddle/engine-builtin';
import type { Engine } from '@heddle/engine-port';
import type { ServiceProcess } from '../process/service-process.js';
import { engineOptions } from '../service-settings.js';

/** The engine of the settings; without `runs` only its catalogue is asked for. */
export function openEngine(service: ServiceProcess, { runs }: { readonly runs: boolean } = { runs: true }): Engine {
  const { settings } = service;
  // The engine and its processes read this one from the environment, in one form.
  if (settings.testNodes) process.env['HEDDLE_TEST_NODES'] = '1';
  const engine = new BuiltinEngine(engineOptions(settings));
  service.onStop(() => engine.close());
  // Only a warm-up: a stop may end its processes before they are ready, and a run that needs one starts it anew.
  if (runs && settings.workers > 0) void engine.prestart().catch(() => undefined);
  return engine;
}
