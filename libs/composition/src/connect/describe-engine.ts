import type { ServiceProcess } from '../process/service-process.js';
import { comfyUiOptions } from '../settings/engine-settings.js';

/** The own node classes of an engine, as `/object_info` lists them. Starts no engine process. */
export async function describeEngine(
  { settings }: Pick<ServiceProcess, 'settings'>,
  engine: string,
): Promise<Uint8Array> {
  if (engine === 'builtin') {
    const { builtinObjectInfo } = await import('@heddle/engine-builtin');
    return Buffer.from(builtinObjectInfo());
  }
  const { ComfyUiEngine } = await import('@heddle/engine-comfyui');
  const asked = new ComfyUiEngine(comfyUiOptions({ ...settings, engine, engineInputFolder: null }));
  try {
    return Buffer.from(await asked.objectInfo());
  } finally {
    await asked.close();
  }
}
