import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltinEngine } from '@heddle/engine-builtin';
import type { ComfyUiEngine } from '@heddle/engine-comfyui';
import type { ReadinessCheck } from '@heddle/platform-http/ops-server';
import type { CatalogueHolder } from '@heddle/validation';
import type { ServiceProcess } from '../process/service-process.js';
import { awayText, watchEngine } from './watch-engine.js';

const KEPT_FILE = 'engine-catalogue.json';

/** How long a start waits for an engine whose node classes were never seen, milliseconds; most answer within one. */
const FIRST_LOOK_MS = 5_000;

/**
 * Keeps the validation catalogue equal to the engine's classes: at once for the built-in engine; for a real one when it
 * is reached, restarted, or changes its classes. While it is unreachable the last catalogue stays in use, also across
 * restarts of this process.
 */
export async function followCatalogue(
  service: Pick<ServiceProcess, 'logger' | 'settings' | 'metrics' | 'addReadiness'>,
  engine: BuiltinEngine | ComfyUiEngine,
  catalogue: CatalogueHolder,
): Promise<void> {
  service.addReadiness(catalogueReadiness(catalogue));
  const firstLook = Promise.withResolvers<void>();
  const { logger, settings } = service;
  const kept = join(resolve(settings.data), KEPT_FILE);
  // A stored catalogue must not replace the engine's own.
  if ('watch' in engine) await takeKept(kept, catalogue);
  const isReal = watchEngine(service, engine, (change) => {
    // An engine that returns reports its classes next.
    if (change.kind !== 'back') firstLook.resolve();
    if (change.kind === 'away') catalogue.awaits(awayText(change));
    if (change.kind !== 'catalogue') return;
    try {
      catalogue.replace(Buffer.from(change.objectInfo));
      logger.info({ environment: change.environment }, 'the node classes of the engine are known');
      void keep(kept, change.objectInfo).catch((error: unknown) =>
        logger.warn({ err: error }, 'the catalogue is not kept'),
      );
    } catch (error) {
      logger.error(
        { err: error },
        'the node class description of the engine is invalid: the last catalogue stays in use',
      );
    }
  });
  if (!isReal) {
    catalogue.replace(Buffer.from(await engine.objectInfo()));
    return;
  }
  // So that a client can submit as soon as Heddle is ready, if the engine is available.
  if (catalogue.current === null) {
    await Promise.race([firstLook.promise, delay(FIRST_LOOK_MS, undefined, { ref: false })]);
  }
}

async function takeKept(file: string, catalogue: CatalogueHolder): Promise<void> {
  try {
    catalogue.replace(await readFile(file));
  } catch {
    // No stored catalogue, or an invalid one: wait for the engine.
  }
}

async function keep(file: string, objectInfo: string): Promise<void> {
  await mkdir(resolve(file, '..'), { recursive: true });
  await writeFile(`${file}.part`, objectInfo);
  await rename(`${file}.part`, file);
}

/** Without node classes no graph can be validated. */
function catalogueReadiness(catalogue: CatalogueHolder): ReadinessCheck {
  return {
    name: 'catalogue',
    check: () => (catalogue.current === null ? "the engine's node classes are not known yet" : null),
  };
}
