import { isAbsolute } from 'node:path';
import type { MintedListener } from '@heddle/assets';
import type { ServiceProcess } from '../process/service-process.js';
import { SettingRefused } from '@heddle/platform-settings';

const PLACEMENTS = {
  placed: 'a model file was placed in a folder of the engine',
  present: 'a model file is already in the folder of the engine',
  taken: 'a model file was not placed: the folder of the engine has another file of this name',
  refused: 'a model file was not placed: its path or its content is not accepted',
} as const;

/**
 * Places uploaded model files in the engine's configured folders: a file whose path is below one is placed atomically
 * after its header was checked, and nothing is overwritten. Null: assets stay assets.
 */
export async function modelPlacement({
  settings,
  logger,
}: Pick<ServiceProcess, 'settings' | 'logger'>): Promise<MintedListener | null> {
  if (settings.engineModelFolders.length === 0) return null;
  const { ModelFolders } = await import('@heddle/engine-comfyui');
  const folders = new ModelFolders(rootsOf(settings.engineModelFolders));
  return async ({ filePath, sizeBytes, id }, open) => {
    try {
      const placement = await folders.place({ filePath, sizeBytes, open });
      if (placement.kind === 'elsewhere') return;
      const level = placement.kind === 'refused' || placement.kind === 'taken' ? 'warn' : 'info';
      logger[level]({ ...placement, filePath, assetId: id }, PLACEMENTS[placement.kind]);
    } catch (error) {
      logger.error({ err: error, filePath, assetId: id }, 'a model file was not placed');
    }
  };
}

/** Each entry is `models/checkpoints=/absolute/folder`. */
function rootsOf(entries: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    entries.map((entry) => {
      const [prefix = '', folder = ''] = entry.split('=', 2);
      if (!/^models\/[a-z0-9_]+$/i.test(prefix) || !isAbsolute(folder)) {
        throw new SettingRefused(
          `HEDDLE_ENGINE_MODEL_FOLDERS must be entries such as models/checkpoints=/opt/engine/models/checkpoints, not "${entry}"`,
        );
      }
      return [prefix, folder];
    }),
  );
}
