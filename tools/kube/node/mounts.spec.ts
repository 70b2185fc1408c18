import { describe, expect, it } from 'vitest';
import { mountsBelow } from './mounts.ts';

const line = (point: string): string => `36 35 98:0 / ${point} rw,noatime master:1 - ext4 /dev/root rw`;
const TEXT = [line('/'), line('/node'), line('/node/a/b'), line('/node/with\\040blank'), line('/nodes/x')].join('\n');

describe('mounts below a folder', () => {
  it('come with the deepest first, and with the folder itself', () => {
    expect(mountsBelow('/node', TEXT)).toEqual(['/node/a/b', '/node/with blank', '/node']);
  });

  it('are none for a folder whose name only begins alike', () => {
    expect(mountsBelow('/nod', TEXT)).toEqual([]);
  });
});
