import { beforeEach, describe, expect, it } from 'vitest';
import type { DeploymentDirectory, DeploymentId, DirectoryEntry } from '@heddle/contracts-messages';
import { RefusedDemand } from './refused-demand.js';

const NOW_MS = 1_000_000;
const entry = (label: string, awaitsWorker: boolean): DirectoryEntry => ({
  deploymentId: `id of ${label}` as DeploymentId,
  label,
  stage: 'production',
  accountId: null,
  status: awaitsWorker ? 'unavailable' : 'ready',
  awaitsWorker,
  statusSince: '2026-01-01T00:00:00.000Z',
  reason: '',
  version: 1,
  startedAt: '2026-01-01T00:00:00.000Z',
  revision: 1,
  catalogue: { engine: 'builtin', catalogueHash: null, packages: [] },
  coldStartS: null,
  publicDemo: false,
  limits: { maxRuntimeS: null, jobRetentionS: null, queueDepth: null },
});

describe('the demand that was refused', () => {
  let entries: DirectoryEntry[];
  let demand: RefusedDemand;
  beforeEach(() => {
    entries = [entry('alpha', true), entry('beta', true), entry('paused', false)];
    const byId = (id: DeploymentId): DirectoryEntry | null =>
      entries.find(({ deploymentId }) => deploymentId === id) ?? null;
    demand = new RefusedDemand({ byId } as DeploymentDirectory);
  });

  it('is one for each deployment without a worker, however often it was asked', () => {
    for (const one of [entries[0]!, entries[0]!, entries[2]!]) demand.note(one, NOW_MS);
    expect(demand.figures(NOW_MS)).toEqual([[{ deployment: 'alpha' }, 1]]);
  });

  it('ends a minute after the last refusal', () => {
    demand.note(entries[0]!, NOW_MS);
    demand.note(entries[1]!, NOW_MS + 1);
    expect(demand.figures(NOW_MS + 60_001)).toEqual([[{ deployment: 'beta' }, 1]]);
    expect(demand.figures(NOW_MS + 60_002)).toEqual([]);
  });

  it('ends when a worker polls, or the deployment is gone', () => {
    for (const one of entries) demand.note(one, NOW_MS);
    entries = [entry('alpha', false)];
    expect(demand.figures(NOW_MS)).toEqual([]);
  });
});
