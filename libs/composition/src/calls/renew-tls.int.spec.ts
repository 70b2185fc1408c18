import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallTls } from '@heddle/platform-service-calls';
import { createLogger } from '@heddle/platform-telemetry';
import { afterEach, expect, it } from 'vitest';
import { readSettings } from '../settings/settings.js';
import { renewCallsTls } from './renew-tls.js';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0)) await one();
});

it('a certificate that is replaced is given to new connections, once, and a half of a pair to nobody', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-tls-'));
  undo.push(() => rm(folder, { recursive: true }));
  const [cert, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  await writeFile(cert, 'first');
  await writeFile(key, 'key');
  const settings = readSettings({ HEDDLE_CALLS_TLS_CERT: cert, HEDDLE_CALLS_TLS_KEY: key });
  const given: CallTls[] = [];
  let isWhole = false;
  const served = {
    renewTls: (tls: CallTls): void => {
      if (!isWhole) throw new Error('the key does not fit');
      given.push(tls);
    },
  };
  const onStop = (_part: string, step: () => unknown): void => void undo.push(step);
  const service = { settings, logger: createLogger('silent'), onStop };
  renewCallsTls(service, served, 10);
  await writeFile(cert, 'second');
  await utimes(cert, new Date(), new Date(Date.now() + 5_000));
  isWhole = true;
  await expect.poll(() => given).toEqual([{ cert: 'second', key: 'key' }]);
});
