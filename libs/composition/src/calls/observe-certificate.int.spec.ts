import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { expect, it, onTestFinished } from 'vitest';
import { observeCertificate } from './observe-certificate.js';

const valueIn = async (metrics: MetricsRegistry): Promise<number | null> => {
  const [, value] = /^heddle_certificate_left_seconds\{of="calls"\} (\S+)$/m.exec(await metrics.metrics()) ?? [];
  return value === undefined ? null : Number(value);
};

it('the certificate in the file is the one whose end is reported, also after it was renewed or damaged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-certificate-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'tls.crt');
  const metrics = new MetricsRegistry();
  observeCertificate(metrics, { callsTlsCert: file });
  expect(await valueIn(metrics)).toBeNull();
  // Two authorities of Node's list, which expire at different times.
  for (const pem of [rootCertificates[0]!, rootCertificates[1]!]) {
    await writeFile(file, pem);
    const left = (new X509Certificate(pem).validToDate.getTime() - Date.now()) / 1_000;
    expect(Math.abs((await valueIn(metrics))! - left)).toBeLessThan(60);
  }
  await writeFile(file, 'no certificate');
  expect(await valueIn(metrics)).toBeNull();
});

// A value of 0 would raise the alert.
it('without a certificate there is a metric and no value', async () => {
  const metrics = new MetricsRegistry();
  observeCertificate(metrics, { callsTlsCert: null });
  expect((await metrics.metrics()).trim().split('\n').at(-1)).toBe('# TYPE heddle_certificate_left_seconds gauge');
});
