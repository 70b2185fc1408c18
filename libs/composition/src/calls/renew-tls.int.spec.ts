import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallTls } from '@heddle/platform-service-calls';
import { createLogger } from '@heddle/platform-telemetry';
import { afterEach, expect, it } from 'vitest';
import { readSettings } from '../settings/settings.js';
import { certificateInUse, renewedCallsTls } from './renew-tls.js';

const CERTIFICATES = fileURLToPath(new URL('../../../platform/service-calls/test-certificates', import.meta.url));
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0)) await one();
});

it('a pair of files that is replaced is renewed, and half of a pair is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-tls-'));
  undo.push(() => rm(folder, { recursive: true }));
  const [cert, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const put = (name: string, file: string): Promise<void> => copyFile(join(CERTIFICATES, name), file);
  await put('server.crt', cert);
  await put('server.key', key);
  const settings = readSettings({ HEDDLE_CALLS_TLS_CERT: cert, HEDDLE_CALLS_TLS_KEY: key });
  const onStop = (_part: string, step: () => unknown): void => void undo.push(step);
  const service = { settings, logger: createLogger('silent'), onStop };
  expect(certificateInUse(service)).toBeNull();
  const tls = renewedCallsTls(service, 10)!;
  expect(renewedCallsTls(service)).toBe(tls);
  const first = tls.current;
  const renewed: CallTls[] = [];
  tls.onRenewed(() => renewed.push(tls.current));

  await put('client.crt', cert);
  // Several looks at half of the pair.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([tls.current, renewed]).toEqual([first, []]);
  expect(certificateInUse(service)).toBe(first.cert);
  await put('client.key', key);
  await expect.poll(() => renewed).not.toEqual([]);
  const text = (name: string): Promise<string> => readFile(join(CERTIFICATES, name), 'utf8');
  expect(tls.current).toEqual({ cert: await text('client.crt'), key: await text('client.key') });
  expect(certificateInUse(service)).toBe(await text('client.crt'));
});

it('a key of another certificate is refused at the start', () => {
  const [cert, key] = [join(CERTIFICATES, 'server.crt'), join(CERTIFICATES, 'client.key')];
  const settings = readSettings({ HEDDLE_CALLS_TLS_CERT: cert, HEDDLE_CALLS_TLS_KEY: key });
  const service = { settings, logger: createLogger('silent'), onStop: () => undefined };
  expect(() => renewedCallsTls(service)).toThrow(/HEDDLE_CALLS_TLS_CERT.* cannot be used: .*key values mismatch/);
});

it('a certificate that has expired is refused at the start, and never takes the place of another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-tls-'));
  undo.push(() => rm(folder, { recursive: true }));
  const [cert, key] = [join(folder, 'tls.crt'), join(CERTIFICATES, 'server.key')];
  const put = async (name: string): Promise<void> => await copyFile(join(CERTIFICATES, name), cert);
  const settings = readSettings({ HEDDLE_CALLS_TLS_CERT: cert, HEDDLE_CALLS_TLS_KEY: key });
  const service = (): Parameters<typeof renewedCallsTls>[0] => ({
    settings,
    logger: createLogger('silent'),
    onStop: (_, step) => void undo.push(step),
  });
  await put('expired.crt');
  expect(() => renewedCallsTls(service())).toThrow(
    /HEDDLE_CALLS_TLS_CERT.* cannot be used: the certificate expired on 2020-01-02T00:00:00.000Z; renew it/,
  );
  await put('server.crt');
  const tls = renewedCallsTls(service(), 10)!;
  const first = tls.current;
  await put('expired.crt');
  // Several looks at it.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(tls.current).toBe(first);
});

it('a process without certificates has none to renew', () => {
  const service = { settings: readSettings({}), logger: createLogger('silent'), onStop: () => undefined };
  expect(renewedCallsTls(service)).toBeNull();
});

it.each([
  ['empty', ''],
  ['not a certificate', 'hello'],
])('a certificate file that is %s is refused by name', async (_, text) => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-tls-'));
  undo.push(() => rm(folder, { recursive: true }));
  const [cert, key] = [join(folder, 'tls.crt'), join(CERTIFICATES, 'server.key')];
  await writeFile(cert, text);
  const settings = readSettings({ HEDDLE_CALLS_TLS_CERT: cert, HEDDLE_CALLS_TLS_KEY: key });
  const service = { settings, logger: createLogger('silent'), onStop: () => undefined };
  expect(() => renewedCallsTls(service)).toThrow(`HEDDLE_CALLS_TLS_CERT: ${cert} is not a PEM file`);
});
