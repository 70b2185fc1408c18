import { resolve } from 'node:path';
import type { BuiltinEngineOptions } from '@heddle/engine-builtin';
import type { ComfyUiOptions } from '@heddle/engine-comfyui';
import { ANY_COUNT, declareSettings, flag, optionalText, seconds, text, wholeNumber } from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';

const DAY = 86_400;

/** Selects the engine that runs graphs. */
export const ENGINE_SETTINGS = {
  ...declareSettings('engine', {
    engine: text('ENGINE', 'builtin', { meaning: 'builtin, or the URL of an engine' }),
    engineInputFolder: optionalText('ENGINE_INPUT_FOLDER', {
      unit: 'folder',
      meaning: "a real engine's own input folder, if it is on this machine: files are written there and cleaned up",
    }),
    engineInputKeep: seconds('ENGINE_INPUT_KEEP_S', DAY, {
      meaning: 'minimum age before unused files in that folder are removed',
    }),
  }),
  ...declareSettings('tests', {
    testNodes: flag('TEST_NODES', false, { meaning: 'HeddleTest nodes of the built-in engine' }),
  }),
};

/** Settings of built-in engine processes. */
export const BUILTIN_ENGINE_SETTINGS = declareSettings('engine', {
  engineUser: optionalText('ENGINE_USER', {
    unit: 'user',
    meaning: 'if started as root: user of built-in engine processes; unset: heddle-engine, or an unused id',
  }),
  engineMemory: wholeNumber(
    'ENGINE_MEMORY_MB',
    2048,
    { min: 64, max: 1_000_000 },
    { unit: 'MiB', meaning: 'maximum memory of one built-in engine process' },
  ),
  engineCache: wholeNumber('ENGINE_CACHE_MB', 256, ANY_COUNT, {
    unit: 'MiB',
    meaning: 'maximum node outputs that one built-in engine process caches',
  }),
});

const MEBIBYTE = 1024 * 1024;

/** Options of a real engine at a URL. */
export function comfyUiOptions(settings: SettingValues<typeof ENGINE_SETTINGS>): ComfyUiOptions {
  const { engine: url, engineInputFolder: path, engineInputKeep } = settings;
  return { url, ...(path === null ? {} : { inputFolder: { path: resolve(path), keepMs: engineInputKeep * 1_000 } }) };
}

/** Options of the built-in engine: one process per concurrent job. */
export function engineOptions(
  settings: SettingValues<typeof BUILTIN_ENGINE_SETTINGS> & { readonly workers: number },
): BuiltinEngineOptions {
  return {
    processes: Math.max(1, settings.workers),
    pixelBytes: settings.engineMemory * MEBIBYTE,
    cacheBytes: settings.engineCache * MEBIBYTE,
  };
}
