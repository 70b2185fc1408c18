import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueServiceToken, newServiceKeyPair } from '@heddle/platform-service-calls';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { expect, it, onTestFinished } from 'vitest';
import { observeServiceToken } from './observe-service-token.js';

const { privateKey } = newServiceKeyPair();
const HOUR_S = 3_600;

const tokenFor = async (audience: string, leftS: number): Promise<string> => {
  const expiresAt = Math.round(Date.now() / 1_000) + leftS;
  return await issueServiceToken(privateKey, { service: 'gateway', audience, deploymentId: null, expiresAt });
};

/** Hours left by audience. */
async function hoursIn(metrics: MetricsRegistry): Promise<Readonly<Record<string, number>>> {
  const found = (await metrics.metrics()).matchAll(/^heddle_service_token_left_seconds\{audience="(\w+)"\} (\S+)$/gm);
  return Object.fromEntries([...found].map(([, audience, left]) => [audience!, Math.round(Number(left) / HOUR_S)]));
}

it('the token that lasts longest for each service is reported, also after the file was renewed or removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-token-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'token');
  const metrics = new MetricsRegistry();
  observeServiceToken(metrics, { serviceToken: null, serviceTokenFile: file });
  expect(await hoursIn(metrics)).toEqual({});
  const held = [
    await tokenFor('jobs', 2 * HOUR_S),
    await tokenFor('jobs', 5 * HOUR_S),
    await tokenFor('assets', -HOUR_S),
  ];
  await writeFile(file, held.join('\n'));
  expect(await hoursIn(metrics)).toEqual({ jobs: 5, assets: -1 });
  await writeFile(file, await tokenFor('jobs', 48 * HOUR_S));
  expect(await hoursIn(metrics)).toEqual({ jobs: 48 });
  await rm(file);
  expect(await hoursIn(metrics)).toEqual({});
});

it('a token without an audience is for any service, and what is not a token expires never', async () => {
  const metrics = new MetricsRegistry();
  const claims = Buffer.from(JSON.stringify({ exp: Math.round(Date.now() / 1_000) + HOUR_S })).toString('base64url');
  observeServiceToken(metrics, { serviceToken: `a.${claims}.c\nno-token`, serviceTokenFile: null });
  expect(await hoursIn(metrics)).toEqual({});
  const other = new MetricsRegistry();
  observeServiceToken(other, { serviceToken: `a.${claims}.c`, serviceTokenFile: null });
  expect(await hoursIn(other)).toEqual({ any: 1 });
});

// A value of 0 would raise the alert.
it('without a token there is a metric and no value', async () => {
  const metrics = new MetricsRegistry();
  observeServiceToken(metrics, { serviceToken: null, serviceTokenFile: null });
  expect((await metrics.metrics()).trim().split('\n').at(-1)).toBe('# TYPE heddle_service_token_left_seconds gauge');
});
