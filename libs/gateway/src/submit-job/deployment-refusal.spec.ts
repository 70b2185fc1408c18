import type { DeploymentId, DeploymentStatus, DirectoryEntry } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { deploymentRefusal } from './deployment-refusal.js';

const START = Date.UTC(2026, 0, 1);
const times = { coldStartS: 60, unavailableRetryS: 30 };
const entry = (status: DeploymentStatus, coldStartS: number | null = null): DirectoryEntry => ({
  deploymentId: 'alpha' as DeploymentId,
  label: 'alpha',
  stage: 'production',
  accountId: null,
  status,
  statusSince: new Date(START + 5_000).toISOString(),
  reason: 'paused by the operator',
  version: 1,
  startedAt: new Date(START).toISOString(),
  revision: 1,
  catalogue: { engine: 'builtin', catalogueHash: null, packages: [] },
  coldStartS,
  awaitsWorker: status === 'starting',
  publicDemo: false,
  limits: { maxRuntimeS: null, jobRetentionS: null, queueDepth: null },
});

describe('a submission to a deployment', () => {
  it('is taken while the deployment is ready', () => {
    expect(deploymentRefusal(entry('ready'), START, times)).toBeNull();
  });

  it.each(['provisioning', 'starting'] as const)('waits for the rest of a usual start while it is %s', (status) => {
    const after = (seconds: number, measured: number | null) =>
      deploymentRefusal(entry(status, measured), START + seconds * 1000, times);
    expect(after(0, null)).toMatchObject({ code: 'deployment_not_ready', retryAfterSeconds: 60 });
    expect(after(12, 20.5)).toMatchObject({ retryAfterSeconds: 9 });
    expect(after(500, 20)).toMatchObject({ retryAfterSeconds: 1 });
  });

  it.each(['unavailable', 'draining', 'stopped'] as const)('is refused with the reason while it is %s', (status) => {
    const refusal = deploymentRefusal(entry(status), START, times);
    expect(refusal).toMatchObject({ code: 'deployment_unavailable', retryAfterSeconds: 30 });
    expect(refusal?.message).toContain('alpha');
  });

  it('finds nothing once it is deleted', () => {
    expect(deploymentRefusal(entry('deleted'), START, times)?.code).toBe('not_found');
  });
});
