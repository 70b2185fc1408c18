import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diskRooms, shortageOf } from './disk-room.js';

const ROOM = { path: '/data', names: ['blobs', 'database'], freeBytes: 5_000, minFreeBytes: 1_000, freeFiles: 2_000 };

describe('the room on a disk', () => {
  it('is enough, also on a file system that has no limit of files', () => {
    expect(shortageOf(ROOM)).toBe(null);
    expect(shortageOf({ ...ROOM, freeFiles: null })).toBe(null);
  });

  it('is short of bytes, or of files although bytes are free', () => {
    expect(shortageOf({ ...ROOM, freeBytes: 999 })).toBe(
      '999 bytes free in /data (blobs, database), less than 1000 bytes: free space there or enlarge the disk',
    );
    expect(shortageOf({ ...ROOM, freeFiles: 999 })).toBe(
      'only 999 more files can be made in /data (blobs, database): remove files there, or use a file system with more inodes',
    );
  });

  it('is enough again with a margin', () => {
    expect([999, 1_000, 1_099, 1_100].map((freeFiles) => shortageOf({ ...ROOM, freeFiles }, 1.1) === null)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(shortageOf({ ...ROOM, freeBytes: 1_050 }, 1.1)).not.toBe(null);
  });

  it('is read once for folders of one disk, also for one that is made later', async () => {
    const folders = [
      { name: 'here', path: tmpdir() },
      { name: 'later', path: join(tmpdir(), 'not', 'yet') },
    ];
    const rooms = await diskRooms(folders, 7);
    expect(rooms).toEqual([
      {
        path: tmpdir(),
        names: ['here', 'later'],
        freeBytes: expect.any(Number) as number,
        minFreeBytes: 7,
        freeFiles: rooms[0]!.freeFiles,
      },
    ]);
    expect(rooms[0]!.freeBytes).toBeGreaterThan(0);
  });
});
