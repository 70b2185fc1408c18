import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { expect, it } from 'vitest';
import { observeCertificate } from './observe-certificate.js';

const valueIn = async (metrics: MetricsRegistry): Promise<number | null> => {
  const [, value] = /^heddle_certificate_left_seconds\{of="calls"\} (\S+)$/m.exec(await metrics.metrics()) ?? [];
  return value === undefined ? null : Number(value);
};

it('the end of the certificate in use is reported, also after it was renewed', async () => {
  let inUse: string | null = null;
  const metrics = new MetricsRegistry();
  observeCertificate(metrics, () => inUse);
  // Two authorities of Node's list, which expire at different times.
  for (const pem of [rootCertificates[0]!, rootCertificates[1]!]) {
    inUse = pem;
    const left = (new X509Certificate(pem).validToDate.getTime() - Date.now()) / 1_000;
    expect(Math.abs((await valueIn(metrics))! - left)).toBeLessThan(60);
  }
});

// A value of 0 would raise the alert.
it('without a certificate there is a metric and no value', async () => {
  const metrics = new MetricsRegistry();
  observeCertificate(metrics, () => null);
  expect((await metrics.metrics()).trim().split('\n').at(-1)).toBe('# TYPE heddle_certificate_left_seconds gauge');
});
