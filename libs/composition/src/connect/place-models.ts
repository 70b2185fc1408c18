import type { MintedListener } from '@heddle/assets';
import type { ServiceProcess } from '../process/service-process.js';
import { SettingRefused } from '@heddle/platform-settings';

/**
 * Places uploaded model files in the engine's configured folders: a file whose path is below one is placed atomically
 * after its header was checked, and nothing is overwritten. Null: assets stay assets.
 */
export async function modelPlacement({
  settings,
  logger,
}: Pick<ServiceProcess, 'settings' | 'logger'>): Promise<MintedListener | null> {
  if (settings.engineModelFolders.length === 0) return null;
  const { ModelFolders, modelFolderOf, PLACEMENT_LINES } = await import('@heddle/engine-comfyui');
  const roots = settings.engineModelFolders.map((entry) => {
    const root = modelFolderOf(entry);
    if (root !== null) return root;
    throw new SettingRefused(
      `HEDDLE_ENGINE_MODEL_FOLDERS must be entries such as models/checkpoints=/opt/engine/models/checkpoints, not "${entry}"`,
    );
  });
  const folders = new ModelFolders(new Map(roots));
  return async ({ filePath, sizeBytes, id }, open) => {
    try {
      const placement = await folders.place({ filePath, sizeBytes, open });
      if (placement.kind === 'elsewhere') return;
      const level = placement.kind === 'refused' || placement.kind === 'taken' ? 'warn' : 'info';
      logger[level]({ ...placement, filePath, assetId: id }, PLACEMENT_LINES[placement.kind]);
    } catch (error) {
      logger.error({ err: error, filePath, assetId: id }, 'a model file was not placed');
    }
  };
}
