import { accepted, LOG_BYTES, newUuid } from '@heddle/contracts-messages';
import type { AccountId, CapturedLog, DeploymentId, JobId, LogsPort } from '@heddle/contracts-messages';
import { CALLS, RemoteLogs, serveLogs } from '@heddle/internal-api';
import type { CallServer } from '@heddle/platform-service-calls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, listening, tokenOf } from './call-servers.js';

/** A second LogsPort, for what passes between processes. */
class RememberedLogs implements LogsPort {
  readonly kept = new Map<JobId, CapturedLog>();

  capture(log: CapturedLog): Promise<'kept'> {
    this.kept.set(log.jobId, log);
    return Promise.resolve('kept');
  }

  read(_principal: unknown, jobId: JobId): ReturnType<LogsPort['read']> {
    const { text = '', truncated = false, complete = false } = this.kept.get(jobId) ?? {};
    return Promise.resolve(accepted({ text, truncated, complete, capturedAt: '2026-01-01T00:00:00.000Z' }));
  }
}

describe('LogsPort over internal calls', () => {
  const logs = new RememberedLogs();
  const principal = { accountId: newUuid() as AccountId, deploymentId: newUuid() as DeploymentId };
  let server: CallServer;
  const clients: ReturnType<typeof clientOf>[] = [];
  const remote = (token: string): RemoteLogs => {
    const client = clientOf('logs', [server.url], { token });
    clients.push(client);
    return new RemoteLogs(client);
  };
  beforeAll(async () => {
    server = await listening((routes) => serveLogs(routes, { logs }));
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await server.close(0);
  });
  const captured = (text: string): CapturedLog => ({
    jobId: newUuid() as JobId,
    fence: 1,
    principal,
    text,
    truncated: false,
    complete: true,
    expiresAt: '2030-01-01T00:00:00.000Z',
  });

  it('carries texts of any content there and back', async () => {
    const log = captured('zero \u0000, thread \u{1f9f5}, end\n');
    expect(await remote(tokenOf('worker')).capture(log)).toBe('kept');
    expect(logs.kept.get(log.jobId)).toEqual(log);
    const answer = await remote(tokenOf('gateway')).read(principal, log.jobId);
    expect(answer).toMatchObject({ ok: true, value: { text: log.text, complete: true, truncated: false } });
  });

  it('sends no more than is kept', async () => {
    const log = captured(`gone${'x'.repeat(LOG_BYTES)}`);
    await remote(tokenOf('worker')).capture(log);
    expect(logs.kept.get(log.jobId)).toMatchObject({ truncated: true, text: 'x'.repeat(LOG_BYTES) });
  });

  it('is open to workers for capturing, to gateways for reading, and to a bound worker for its deployment', async () => {
    const log = captured('x');
    await expect(remote(tokenOf('gateway')).capture(log)).rejects.toThrow(/not open this call|does not open/);
    await expect(remote(tokenOf('worker')).read(principal, log.jobId)).rejects.toThrow(/does not open/);
    await expect(remote(tokenOf('worker', newUuid())).capture(log)).rejects.toThrow(/is for the deployment/);
    expect(await remote(tokenOf('worker', principal.deploymentId)).capture(log)).toBe('kept');
  });

  it('refuses what is no capture, and more than the limit', async () => {
    const client = clientOf('logs', [server.url], { token: tokenOf('worker') });
    clients.push(client);
    const send = async (head: object, size = 1): Promise<unknown> =>
      await client.call({ path: CALLS.logs.capture, head, bytes: [Buffer.alloc(size)], repeatable: false });
    const { text: _, ...good } = captured('');
    await expect(send({ ...good, fence: 0 })).rejects.toThrow(/fence from 1 on/);
    await expect(send({ ...good, expiresAt: 'soon' })).rejects.toThrow(/instant of expiry/);
    await expect(send({ ...good, jobId: 'x' })).rejects.toThrow(/names no job/);
    await expect(send({ ...good, principal: null })).rejects.toThrow(/no principal/);
    await expect(send(good, LOG_BYTES + 64 * 1024)).rejects.toThrow(/refused/);
  });
});
