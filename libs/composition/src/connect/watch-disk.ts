import type { ServiceProcess } from '../process/service-process.js';
import { diskRooms, roomText, shortageOf } from './disk-room.js';
import type { DiskRoom, WrittenFolder } from './disk-room.js';
import { PROCESS_METRICS } from '../metrics.js';

const ENOUGH_AGAIN = 1.1;

type DiskWatcher = Pick<ServiceProcess, 'settings' | 'logger' | 'metrics' | 'addReadiness' | 'onStop'>;

/**
 * Reports a disk that is nearly full before writes fail: `degraded: disk` in `/readyz`, metrics, and log lines at start
 * and end. Folders on one disk share a line.
 */
export async function watchDisk(service: DiskWatcher, folders: readonly WrittenFolder[]): Promise<void> {
  const { settings, logger, metrics } = service;
  let rooms: readonly DiskRoom[] = [];
  const short = new Map<string, string>();
  const look = async (): Promise<void> => {
    rooms = await diskRooms(folders, settings.diskFree);
    for (const room of rooms) {
      const { path, freeBytes, minFreeBytes, freeFiles } = room;
      const shortage = shortageOf(room, short.has(path) ? ENOUGH_AGAIN : 1);
      const facts = { path, freeBytes, minFreeBytes, freeFiles };
      if (shortage !== null) {
        if (!short.has(path)) logger.warn(facts, `disk nearly full: ${shortage}`);
        short.set(path, shortage);
      } else if (short.delete(path)) {
        logger.info(facts, `disk has space again: ${roomText(room)}`);
      }
    }
  };
  let looking: Promise<void> | null = null;
  // Concurrent callers share one check.
  const lookOnce = (): Promise<void> => (looking ??= look().finally(() => (looking = null)));
  const lookOrTell = (): Promise<void> =>
    lookOnce().catch((error: unknown) => logger.warn({ err: error }, 'the free space of the disk cannot be read'));
  await lookOrTell();
  const timer = setInterval(() => void lookOrTell(), settings.diskLook * 1000).unref();
  service.onStop('free space of the disk', () => clearInterval(timer));
  const ofFolders = (value: (room: DiskRoom) => number | null) => () =>
    rooms.flatMap((room) => {
      const found = value(room);
      return found === null ? [] : room.names.map((folder) => [{ folder }, found] as const);
    });
  metrics.gauge(
    PROCESS_METRICS.diskFreeBytes,
    ofFolders(({ freeBytes }) => freeBytes),
  );
  metrics.gauge(
    PROCESS_METRICS.diskFreeFiles,
    ofFolders(({ freeFiles }) => freeFiles),
  );
  service.addReadiness({
    name: 'disk',
    optional: true,
    check: async () => {
      await lookOnce();
      return short.size === 0 ? null : [...short.values()].join('; ');
    },
  });
}
