import { networkInterfaces } from 'node:os';
import { jsonOf, send } from '@heddle/testing-api';
import type { Answer, ErrorBody } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../api/expectations.js';
import { ownServer } from '../api/server.js';
import { surface } from '../api/surface.js';

const TOKEN = 'a-long-token-of-the-operator';
const found = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
/** An external address of this machine; if it has none, the wildcard address with a `Host` header. */
const address = found.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
const real = address ?? '192.0.2.7';

async function open(host: string, env: Record<string, string> = {}): Promise<Standalone> {
  const settings = { HEDDLE_HOST: host, HEDDLE_STATIC_TOKEN: TOKEN, HEDDLE_WORKERS: '0', ...env };
  return await startStandalone({ env: settings });
}

/** A request to the address, with the `Host` header that clients derive from the URL. */
function ask(port: number, host: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${TOKEN}`, host: `${host}:${port}` };
  return send(`http://${address ?? '127.0.0.1'}:${port}`, { method: 'GET', target: '/api/v2/jobs', headers });
}

const said = (heddle: Standalone): string[] =>
  heddle
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('heddle: '));
const readyUrl = (heddle: Standalone): string => /^heddle ready (\S+)\n$/.exec(heddle.stdout())?.[1] ?? '';

describe.runIf(ownServer && surface.credential === 'static')('HEDDLE_HOST beyond loopback', () => {
  let heddle: Standalone;
  beforeAll(async () => {
    heddle = await open('0.0.0.0');
  });
  afterAll(() => heddle.stop());

  it('prints one ready line, with a URL that is answered', async () => {
    const url = readyUrl(heddle);
    expect(url).toBe(`http://127.0.0.1:${heddle.port}`);
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect((await send(url, { method: 'GET', target: '/api/v2/jobs', headers })).status).toBe(200);
  });

  it('prints the addresses of the machine and the setting that lets requests by them in', () => {
    const lines = said(heddle).join('\n');
    if (address !== undefined)
      expect(lines).toMatch(new RegExp(`reachable from other machines at .*http://${real}:${heddle.port}\\b`));
    expect(lines).toMatch(
      /only requests to the hosts 127\.0\.0\.1, localhost, \[::1\] are answered; HEDDLE_ALLOWED_HOSTS adds/,
    );
  });

  it('refuses a request by the real address with the host that it saw and the setting', async () => {
    const { message } = expectRefusal(await ask(heddle.port, real), 403, 'forbidden_origin');
    expect(message).toBe(
      `The Host header names "${real}:${heddle.port}", a host that this service does not accept. ` +
        `To allow it, add ${real} to HEDDLE_ALLOWED_HOSTS where the service runs; loopback addresses are always allowed.`,
    );
  });

  it('repeats of a strange Host no more than a line, and proposes nothing that the setting refuses', async () => {
    const strange = await send(heddle.url, {
      method: 'GET',
      target: '/api/v2/jobs',
      headers: { host: `"><b>${'x'.repeat(2_000)}` },
    });
    expect([400, 403]).toContain(strange.status);
    const { message } = jsonOf<ErrorBody>(strange).error;
    expect(message.length).toBeLessThan(400);
    if (strange.status === 403) expect(message).toContain('add the host to HEDDLE_ALLOWED_HOSTS');
  });

  it('never answers to 0.0.0.0 itself, which web pages may call', async () => {
    expectRefusal(await ask(heddle.port, '0.0.0.0'), 403, 'forbidden_origin');
  });
});

describe.runIf(ownServer && surface.credential === 'static')('the advice of a refusal', () => {
  it('works when it is followed, however the host is written', async () => {
    const listed = [real, `${real}:8189`, 'HEDDLE.lan', 'fd00::7', '[fd00::8]:80'].join(' , ');
    const heddle = await open('0.0.0.0', { HEDDLE_ALLOWED_HOSTS: listed });
    try {
      for (const host of [real, 'heddle.lan', '[fd00::7]', '[FD00::8]']) {
        expect((await ask(heddle.port, host)).status, host).toBe(200);
      }
      expectRefusal(await ask(heddle.port, 'other.lan'), 403, 'forbidden_origin');
      expectRefusal(await ask(heddle.port, '0.0.0.0'), 403, 'forbidden_origin');
      expect(said(heddle).join('\n')).toContain(
        `[::1], ${real}, ${real}, heddle.lan, [fd00::7], [fd00::8] are answered`,
      );
    } finally {
      await heddle.stop();
    }
  });

  it.runIf(address !== undefined)('as the start line gives it works as it stands', async () => {
    const first = await open('0.0.0.0');
    const advised = /for example HEDDLE_ALLOWED_HOSTS=(\S+)/.exec(first.stderr())?.[1] ?? '';
    await first.stop();
    expect(advised.split(',')).toContain(real);
    const second = await open('0.0.0.0', { HEDDLE_ALLOWED_HOSTS: advised });
    try {
      expect((await ask(second.port, real)).status).toBe(200);
      expect(second.stderr()).not.toContain('for example HEDDLE_ALLOWED_HOSTS');
    } finally {
      await second.stop();
    }
  });

  it.runIf(address !== undefined)('is not needed for the one address that HEDDLE_HOST names', async () => {
    const heddle = await open(real);
    try {
      expect(readyUrl(heddle)).toBe(`http://${real}:${heddle.port}`);
      expect((await ask(heddle.port, real)).status).toBe(200);
      expectRefusal(await ask(heddle.port, 'heddle.lan'), 403, 'forbidden_origin');
    } finally {
      await heddle.stop();
    }
  });

  it.each(['*', 'http://heddle.lan', 'heddle.lan/api', '[fd00', 'a b'])('takes no %j as a host', async (entry) => {
    const started = startStandalone({ env: { HEDDLE_ALLOWED_HOSTS: entry } });
    const outcome = await started.then(
      (heddle) => heddle.stop(),
      (refusal: unknown) => refusal,
    );
    expect(outcome).toMatchObject({
      ending: { code: 2 },
      stderr: expect.stringContaining('HEDDLE_ALLOWED_HOSTS lists host names and addresses') as string,
    });
  });

  it('takes no address as a host that stands for every address', async () => {
    const outcome = await startStandalone({ env: { HEDDLE_ALLOWED_HOSTS: 'heddle.lan,[::]' } }).then(
      (heddle) => heddle.stop(),
      (refusal: unknown) => refusal,
    );
    expect(outcome).toMatchObject({
      ending: { code: 2 },
      stderr: expect.stringContaining('HEDDLE_ALLOWED_HOSTS lists [::], a wildcard address') as string,
    });
  });
});
