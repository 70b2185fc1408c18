import { MANAGED_DEPLOYMENT_ID, newUuid, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, JobId, JobLease, WorkerOutcome } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { AttemptLog } from './attempt-log.js';

const DEDICATED = newUuid() as DeploymentId;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /gm;

describe('the execution log of an attempt', () => {
  it('has a head line, a line for each start, end and cache hit of a node, and the lines of the engine', () => {
    const log = logOf(leaseOf(DEDICATED));
    log.engine('got prompt\n');
    finish(log, '1', 'LoadImage', true);
    log.nodeStarted('2', 'KSampler');
    log.engine(' 50%|#####     | 1/2\r');
    finish(log, '2', 'KSampler', false);
    const captured = log.close({ kind: 'succeeded' });
    expect(captured).toMatchObject({ complete: true, truncated: false, endedAs: 'succeeded', fence: 3 });
    expect(captured?.text.match(TIME)).toHaveLength(5);
    expect(captured?.text.replaceAll(TIME, '')).toBe(
      [
        `job ${captured?.jobId}, attempt 2, engine builtin/0.1.0, 2 nodes`,
        'got prompt',
        'node 1 (LoadImage) cached: the result of an earlier run is used',
        'node 2 (KSampler) started',
        ' 50%|#####     | 1/2\r',
        'node 2 (KSampler) finished in 1.500 s',
        'succeeded',
        '',
      ].join('\n'),
    );
  });

  it('ends with the error and its traceback', () => {
    const log = logOf(leaseOf(DEDICATED));
    const failed = failedWith('node_execution_error');
    const captured = log.close({
      ...failed,
      nodeId: '2',
      classType: 'KSampler',
      traceback: 'in node 2\nValueError: x',
    });
    expect(captured?.endedAs).toBe('node_execution_error');
    expect(captured?.text.replaceAll(TIME, '').split('\n').slice(1)).toEqual([
      'failed with node_execution_error in node 2 (KSampler)',
      'it failed',
      'in node 2',
      'ValueError: x',
      '',
    ]);
  });

  it('keeps names of clients on their line', () => {
    const log = logOf(leaseOf(DEDICATED));
    log.nodeStarted('1\n2026-01-01T00:00:00.000Z succeeded', 'A\u001b[2JB');
    const text = log.close({ kind: 'succeeded' })?.text ?? '';
    expect(text.split('\n')).toHaveLength(4);
    expect(text).toContain('node "1\\n2026-01-01T00:00:00.000Z succeeded" ("A\\u001b[2JB") started\n');
  });

  it.each(['node_execution_error', 'engine_error', 'output_limit', 'credential_expired'] as const)(
    'exists for a job that failed with %s',
    (code) => {
      expect(logOf(leaseOf(DEDICATED)).close(failedWith(code))).toMatchObject({ endedAs: code });
    },
  );

  it.each<WorkerOutcome>([
    failedWith('timeout'),
    failedWith('out_of_memory'),
    { kind: 'canceled' },
    { kind: 'lost', reason: 'the engine is gone' },
  ])('exists for no other end: $kind $code', (outcome) => {
    expect(logOf(leaseOf(DEDICATED)).close(outcome)).toBeNull();
  });

  it('is not collected on self-hosted and on managed', () => {
    for (const deploymentId of [SELF_HOSTED_PRINCIPAL.deploymentId, MANAGED_DEPLOYMENT_ID]) {
      expect(AttemptLog.for(leaseOf(deploymentId), 'builtin/0.1.0')).toBeNull();
    }
  });
});

function logOf(lease: JobLease): AttemptLog {
  const log = AttemptLog.for(lease, 'builtin/0.1.0');
  if (log === null) throw new Error('no log of a dedicated deployment');
  return log;
}

function finish(log: AttemptLog, nodeId: string, classType: string, cached: boolean): void {
  const [startedAt, endedAt] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.500Z'];
  log.nodeFinished({ nodeId, classType, startedAt, endedAt, cached });
}

function failedWith(code: Extract<WorkerOutcome, { kind: 'failed' }>['code']) {
  return { kind: 'failed', code, message: 'it failed\n', nodeId: null, classType: null, traceback: null } as const;
}

function leaseOf(deploymentId: DeploymentId): JobLease {
  return {
    jobId: newUuid() as JobId,
    fence: 3,
    workerId: 'worker-a',
    accountId: newUuid() as AccountId,
    deploymentId,
    attempt: 2,
    workflow: Buffer.from('{}'),
    nodesTotal: 2,
    inputs: [],
    credentials: null,
    progressFloor: 0,
    leaseSeconds: 30,
    maxRuntimeSeconds: 60,
    jobExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    traceparent: null,
  };
}
