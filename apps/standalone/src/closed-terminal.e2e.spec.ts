import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startStandalone } from '@heddle/testing-standalone';
import { expect, it } from 'vitest';

it('stops in order on SIGHUP, as on SIGTERM, with its database server', async () => {
  const service = await startStandalone({ env: { HEDDLE_WORKERS: '0' } });
  try {
    process.kill(service.pid, 'SIGHUP');
    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(service.stderr()).toContain('"cause":"SIGHUP","msg":"stopping"');
    expect(existsSync(join(service.dataDir, 'postgres', 'heddle.lock'))).toBe(false);
  } finally {
    await service.stop();
  }
});
