import { execFile } from 'node:child_process';
import { access, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { program } from '@heddle/platform-telemetry/program';
import { HeddleClient, textGraph } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SmallDisk } from './campaign/small-disk.ts';

interface Said {
  readonly code: number;
  readonly out: string;
}

const disk = SmallDisk.mount(1);
const title = 'an export to a disk that fills up in the middle of it';

describe.runIf(disk instanceof SmallDisk)(typeof disk === 'string' ? `${title} (skipped: ${disk})` : title, () => {
  const small = disk as SmallDisk;
  const out = typeof disk === 'string' ? '' : join(disk.folder, 'export');
  let service: Standalone;
  const history = async (...words: string[]): Promise<Said> =>
    await promisify(execFile)(process.execPath, [...program('cli'), 'history', ...words, '--json']).then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, out: stdout }),
    );
  const exported = (): Promise<Said> => history('export', '--out', out, '--segment', '2', '--data', service.dataDir);
  const leave = async (kibibytes: number): Promise<void> => {
    await small.free();
    const { bavail, bsize } = await statfs(small.folder);
    await writeFile(join(small.folder, 'ballast'), Buffer.alloc(bavail * bsize - kibibytes * 1_024));
  };
  beforeAll(async () => {
    service = await startStandalone();
    const client = await HeddleClient.connect(service.url);
    await client.submitted(textGraph('a line'));
    const last = ['--after', '0', '--type', 'JobSucceeded', '--limit', '1'];
    expect((await history('follow', ...last, '--data', service.dataDir)).code).toBe(0);
  });
  afterAll(async () => {
    await service.stop();
    small.unmount();
  });

  it.each([8, 12, 16, 20, 24, 28])(
    'with %i KiB left names the file, keeps what it published, and goes on later',
    async (kibibytes) => {
      await rm(out, { recursive: true, force: true });
      await leave(kibibytes);
      const full = await exported();
      expect([full.code, full.out]).toEqual([1, expect.stringMatching(/"code":"failed".*no space (is )?left/i)]);
      const isPublished = await access(join(out, 'manifest.json')).then(
        () => true,
        () => false,
      );
      const verified = JSON.parse((await history('verify', '--from', out)).out) as {
        faults?: object[];
        error?: object;
      };
      // What the full disk kept from being removed is in no manifest.
      for (const fault of verified.faults ?? []) expect(fault).toMatchObject({ fault: 'file_unlisted' });
      expect(verified.error === undefined).toBe(isPublished);
      await small.free();
      expect((await exported()).code).toBe(0);
      expect(JSON.parse((await history('verify', '--from', out)).out)).toMatchObject({ ok: true, faults: [] });
    },
  );
});
