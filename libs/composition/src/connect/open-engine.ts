import type { BuiltinEngine } from '@heddle/engine-builtin';
import type { ComfyUiEngine } from '@heddle/engine-comfyui';
import type { ServiceProcess } from '../process/service-process.js';
import { comfyUiOptions, engineOptions } from '../settings/engine-settings.js';

/** Loads only the configured engine; without `runs` it is only asked for its catalogue. */
export async function openEngine(
  service: Pick<ServiceProcess, 'settings' | 'addRefusals' | 'onStop'>,
  { runs }: { readonly runs: boolean } = { runs: true },
): Promise<BuiltinEngine | ComfyUiEngine> {
  const { settings } = service;
  if (settings.engine !== 'builtin') {
    const { ComfyUiEngine } = await import('@heddle/engine-comfyui');
    const engine = new ComfyUiEngine(comfyUiOptions(settings));
    service.onStop('engine', () => engine.close());
    return engine;
  }
  // The engine and its processes read this setting from the environment.
  if (settings.testNodes) process.env['HEDDLE_TEST_NODES'] = '1';
  const { BuiltinEngine, engineUser, EngineUserError } = await import('@heddle/engine-builtin');
  service.addRefusals(EngineUserError);
  const user = runs ? engineUser(settings.engineUser) : undefined;
  const engine = new BuiltinEngine({ ...engineOptions(settings), ...(user === undefined ? {} : { user }) });
  service.onStop('engine', () => engine.close());
  // Only a warm-up: a stop may end its processes before they are ready, and a run starts them again.
  if (runs && settings.workers > 0) void engine.prestart().catch(() => undefined);
  return engine;
}
