import type { ServedCalls } from '@heddle/platform-service-calls/serve';
import { accepted, LOG_BYTES, newUuid } from '@heddle/contracts-messages';
import type { AccountId, CapturedLog, DeploymentId, JobId, LoggedAttempt, LogsPort } from '@heddle/contracts-messages';
import { RemoteLogs } from '@heddle/internal-api';
import { LOGS_CALLS, servedLogs } from '@heddle/internal-api/serve';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { LeaseAuthorityFake } from '@heddle/testing-jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from './call-servers.js';
import { channelTo, servingCalls } from './grpc-servers.js';
import { itKeepsLogs } from './logs-port.suite.js';
import type { BoundLogs } from './logs-port.suite.js';
import { openLogs } from './logs-under-test.js';
import type { LogsUnderTest } from './logs-under-test.js';

/** What the server hands to LogsPort, to see how it is called */
class RememberedLogs implements LogsPort {
  readonly kept = new Map<JobId, CapturedLog>();

  capture(log: CapturedLog): Promise<'kept'> {
    this.kept.set(log.jobId, log);
    return Promise.resolve('kept');
  }

  read(_principal: unknown, { jobId }: LoggedAttempt): ReturnType<LogsPort['read']> {
    const { text = '', truncated = false, complete = false } = this.kept.get(jobId) ?? {};
    return Promise.resolve(accepted({ text, truncated, complete, capturedAt: '2026-01-01T00:00:00.000Z' }));
  }
}

describe('LogsPort', () => {
  const leases = new LeaseAuthorityFake();
  let local: LogsUnderTest;
  let server: ServedCalls;
  const channels: ServiceChannel[] = [];
  beforeAll(async () => {
    local = await openLogs(leases);
    server = await servingCalls(servedLogs(local.logs));
    for (const service of ['worker', 'gateway']) {
      channels.push(channelTo('logs', [server.url], { token: tokenOf(service) }));
    }
  });
  afterAll(async () => {
    for (const channel of channels) await channel.close();
    await server.close();
    await local.close();
  });

  describe.each([
    ['direct', (): BoundLogs => ({ worker: local.logs, gateway: local.logs })],
    ['over gRPC', (): BoundLogs => ({ worker: new RemoteLogs(channels[0]!), gateway: new RemoteLogs(channels[1]!) })],
  ])('%s', (_, binding) => itKeepsLogs(binding, (owner) => leases.lend(owner)));
});

describe('the calls of LogsPort over gRPC', () => {
  const logs = new RememberedLogs();
  const principal = { accountId: newUuid() as AccountId, deploymentId: newUuid() as DeploymentId };
  let server: ServedCalls;
  const channels: ServiceChannel[] = [];
  const remote = (token: string): RemoteLogs => {
    const channel = channelTo('logs', [server.url], { token });
    channels.push(channel);
    return new RemoteLogs(channel);
  };
  beforeAll(async () => {
    server = await servingCalls(servedLogs(logs));
  });
  afterAll(async () => {
    for (const channel of channels) await channel.close();
    await server.close();
  });
  const captured = (text: string): CapturedLog => ({
    jobId: newUuid() as JobId,
    fence: 1,
    workerId: 'worker-a',
    text,
    truncated: false,
    complete: true,
    endedAs: 'node_execution_error',
  });

  it('sends no more than is kept', async () => {
    const log = captured(`gone${'x'.repeat(LOG_BYTES)}`);
    await remote(tokenOf('worker')).capture(log);
    expect(logs.kept.get(log.jobId)).toMatchObject({ truncated: true, text: 'x'.repeat(LOG_BYTES) });
  });

  it('is open to workers for capturing and to gateways for reading, and says to what deployment a worker is bound', async () => {
    const log = captured('x');
    await expect(remote(tokenOf('gateway')).capture(log)).rejects.toThrow(/may not make this call; allowed: worker/);
    await expect(
      remote(tokenOf('worker')).read(principal, { jobId: log.jobId, fence: 1, endedAs: 'node_execution_error' }),
    ).rejects.toThrow(/may not make this call; allowed: gateway/);
    const { deploymentId } = principal;
    expect(await remote(tokenOf('worker')).capture(log)).toBe('kept');
    expect(logs.kept.get(log.jobId)).toEqual({ ...log, boundTo: null });
    expect(await remote(tokenOf('worker', deploymentId)).capture({ ...log, boundTo: null })).toBe('kept');
    const bound = { workerId: `worker-a@${deploymentId}`, boundTo: deploymentId };
    expect(logs.kept.get(log.jobId)).toEqual({ ...log, ...bound });
  });

  it('refuses what is no capture, and more than the limit', async () => {
    const channel = channelTo('logs', [server.url], { token: tokenOf('worker') });
    channels.push(channel);
    const send = async (more: object, size = 1): Promise<unknown> => {
      const named = { jobId: newUuid(), fence: 1, workerId: 'worker-a', ...more };
      const request = {
        ...named,
        text: Buffer.alloc(size),
        truncated: false,
        complete: true,
        endedAs: 'succeeded',
        ...more,
      };
      return await channel.call(LOGS_CALLS.definition.capture, request);
    };
    await expect(send({ fence: 0 })).rejects.toThrow(/fence from 1 to 2147483647/);
    await expect(send({ fence: 2 ** 31 })).rejects.toThrow(/fence from 1 to 2147483647/);
    await expect(send({ jobId: 'x' })).rejects.toThrow(/names no lease/);
    await expect(send({ endedAs: 'timeout' })).rejects.toThrow(/names no end/);
    await expect(send({ workerId: '' })).rejects.toThrow(/names no worker/);
    await expect(send({ workerId: 'x'.repeat(201) })).rejects.toThrow(/names no worker/);
    await expect(send({}, LOG_BYTES + 64 * 1024)).rejects.toMatchObject({ status: 413, code: 'too_large' });
    await expect(send({}, LOG_BYTES + 64 * 1024)).rejects.toThrow(/the limit of this call is 1064960/);
  });
});
