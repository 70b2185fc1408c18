import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { METRICS } from '@heddle/platform-telemetry';
import type { ServiceProcess } from '../process/service-process.js';

/** A folder that this process or its servers write to. */
export interface WrittenFolder {
  /** For metrics and messages, e.g. `blobs`. */
  readonly name: string;
  readonly path: string;
}

interface Room {
  readonly path: string;
  readonly names: readonly string[];
  readonly freeBytes: number;
  /** Below this it is nearly full. */
  readonly leastBytes: number;
}

const DEFAULT_LEAST_BYTES = 1024 ** 3;
const DEFAULT_LEAST_SHARE = 0.02;
/** Space that was freed must suffice for a while: a disk on the edge is told once. */
const ENOUGH_AGAIN = 1.1;

/**
 * Tells of a disk that is nearly full before writes fail: `degraded: disk` in `/readyz`, a metric, and a line in the log
 * when it begins and when it ends. Folders of one disk are one line.
 */
export async function watchDisk(service: ServiceProcess, folders: readonly WrittenFolder[]): Promise<void> {
  const { settings, logger, metrics } = service;
  let rooms: readonly Room[] = [];
  const low = new Map<string, Room>();
  const look = async (): Promise<void> => {
    rooms = await roomsOf(folders, settings.diskFree);
    for (const room of rooms) {
      const { path, freeBytes, leastBytes } = room;
      if (freeBytes < leastBytes) {
        if (!low.has(path)) logger.warn({ path, freeBytes, leastBytes }, `disk nearly full: ${sentence(room)}`);
        low.set(path, room);
      } else if (low.has(path) && freeBytes >= leastBytes * ENOUGH_AGAIN) {
        low.delete(path);
        logger.info({ path, freeBytes, leastBytes }, `disk has space again: ${sizeText(freeBytes)} free in ${path}`);
      }
    }
  };
  const lookOrTell = (): Promise<void> =>
    look().catch((error: unknown) => logger.warn({ err: error }, 'the free space of the disk cannot be read'));
  await lookOrTell();
  const timer = setInterval(() => void lookOrTell(), settings.diskLook * 1000).unref();
  service.onStop(() => clearInterval(timer));
  metrics.gauge(...METRICS.diskFreeBytes, () =>
    rooms.flatMap(({ names, freeBytes }) => names.map((folder) => [{ folder }, freeBytes] as const)),
  );
  service.readiness.push({
    name: 'disk',
    optional: true,
    check: async () => {
      await look();
      return low.size === 0 ? null : [...low.values()].map(sentence).join('; ');
    },
  });
}

/** Folders on one disk together, under the path of the first. */
async function roomsOf(folders: readonly WrittenFolder[], least: number | null): Promise<readonly Room[]> {
  const rooms = new Map<number, Room>();
  for (const { name, path } of folders) {
    const found = await existing(path);
    const known = rooms.get(found.device);
    if (known !== undefined) {
      rooms.set(found.device, { ...known, names: [...known.names, name] });
      continue;
    }
    const { bavail, blocks, bsize } = await statfs(found.path);
    const leastBytes = least ?? Math.min(DEFAULT_LEAST_BYTES, blocks * bsize * DEFAULT_LEAST_SHARE);
    rooms.set(found.device, { path, names: [name], freeBytes: bavail * bsize, leastBytes });
  }
  return [...rooms.values()];
}

/** A folder that is made with the first write counts as its parent. */
async function existing(path: string): Promise<{ readonly path: string; readonly device: number }> {
  try {
    return { path, device: (await stat(path)).dev };
  } catch (error) {
    if (dirname(path) === path) throw error;
    return await existing(dirname(path));
  }
}

function sentence({ path, names, freeBytes, leastBytes }: Room): string {
  return `${sizeText(freeBytes)} free in ${path} (${names.join(', ')}), less than ${sizeText(leastBytes)}: free space there or enlarge the disk`;
}

function sizeText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit += 1) value /= 1024;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
