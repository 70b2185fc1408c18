import { describe, expect, it } from 'vitest';
import { MANAGED_DEPLOYMENT_ID } from '@heddle/contracts-messages';
import type {
  AccountId,
  DeploymentDirectory,
  DeploymentId,
  DirectoryEntry,
  Principal,
} from '@heddle/contracts-messages';
import { GatewaySettings } from '../settings.js';
import { RefusedDemand } from './refused-demand.js';
import { SubmissionGate } from './submission-gate.js';

const DEPLOYMENT = '0190c3f5-7a3e-7c45-9d1b-0123456789ab' as DeploymentId;
const ready: DirectoryEntry = {
  deploymentId: DEPLOYMENT,
  label: 'alpha',
  stage: 'production',
  accountId: null,
  status: 'ready',
  awaitsWorker: false,
  statusSince: '2026-01-01T00:00:00.000Z',
  reason: '',
  version: 1,
  startedAt: '2026-01-01T00:00:00.000Z',
  revision: 3,
  catalogue: { engine: 'builtin', catalogueHash: null, packages: [] },
  coldStartS: null,
  publicDemo: false,
  limits: { maxRuntimeS: null, jobRetentionS: null, queueDepth: null },
};

function gateTo(entry: DirectoryEntry | null): SubmissionGate {
  const directory: DeploymentDirectory = { find: () => entry, byId: () => entry };
  return new SubmissionGate(
    new GatewaySettings({ uploadBytes: 1, uploadRequestBytes: 1, stalledMs: 1_000 }),
    new RefusedDemand(directory),
    directory,
  );
}

const by = (deploymentId: DeploymentId): Principal => ({ accountId: 'a' as AccountId, deploymentId });

describe('the gate of submissions', () => {
  it('opens for a ready deployment and names its revision', () => {
    expect(gateTo(ready).refusal(by(DEPLOYMENT))).toBeNull();
    expect(gateTo(ready).environment(by(DEPLOYMENT))).toMatchObject({ revision: 3, catalogue: { engine: 'builtin' } });
    expect(gateTo(null).environment(by(MANAGED_DEPLOYMENT_ID))).toEqual({ revision: 0, catalogue: null });
  });

  it('answers for a deployment that was deleted after the admission of the request as its host does', () => {
    expect(gateTo(null).refusal(by(DEPLOYMENT))).toMatchObject({ code: 'not_found' });
  });

  it('is always open on a surface without states of deployments', () => {
    expect(gateTo(null).refusal(by(MANAGED_DEPLOYMENT_ID))).toBeNull();
  });
});
