import type { DeploymentDirectory, DeploymentId, DeploymentStage, DirectoryEntry } from '@heddle/contracts-messages';
import { MANAGED_DEPLOYMENT_ID } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { SurfaceHosts } from './surface-hosts.js';
import type { SurfaceHostOptions } from './surface-hosts.js';

const entry = (label: string, stage: DeploymentStage): DirectoryEntry => ({
  deploymentId: `id of ${label} ${stage}` as DeploymentId,
  label,
  stage,
  accountId: null,
  status: 'ready',
  statusSince: '2026-01-01T00:00:00.000Z',
  reason: '',
  version: 1,
  startedAt: '2026-01-01T00:00:00.000Z',
  revision: 1,
  catalogue: { engine: 'builtin', catalogueHash: null, packages: [] },
  awaitsWorker: false,
  coldStartS: null,
  publicDemo: false,
  limits: { maxRuntimeS: null, jobRetentionS: null, queueDepth: null },
});
const known = [entry('alpha', 'production'), entry('beta', 'staging'), entry('default', 'production')];
const directory: DeploymentDirectory = {
  find: (label, stage) => known.find((one) => one.label === label && one.stage === stage) ?? null,
  byId: (id) => known.find(({ deploymentId }) => deploymentId === id) ?? null,
};

function placed(options: Partial<SurfaceHostOptions>, host: string): string | null {
  const all = { surface: 'managed', deploymentHost: null, managedHosts: [], ...options } as const;
  return new SurfaceHosts(all, directory).deploymentOf(host)?.deploymentId ?? null;
}

describe('the deployment of a host', () => {
  const dedicated = { deploymentHost: 'Run.Example.' };

  it.each([
    'alpha.run.example',
    'ALPHA.RUN.EXAMPLE',
    'alpha.run.example:8443',
    'alpha.run.example.',
    'alpha.run.example.:80',
    'alpha.run.example:',
  ])('is the one whose label stands before it, in %s', (host) =>
    expect(placed(dedicated, host)).toBe('id of alpha production'),
  );

  it('is of the staging form where that is asked for', () => {
    expect(placed(dedicated, 'beta.stg.run.example')).toBe('id of beta staging');
    expect(placed(dedicated, 'beta.run.example')).toBeNull();
    expect(placed(dedicated, 'alpha.stg.run.example')).toBeNull();
  });

  it.each([
    'run.example',
    'stg.run.example',
    'gamma.run.example',
    'x.alpha.run.example',
    'alpha..run.example',
    '.run.example',
  ])('is unknown for %s, which lies at or below the host of deployments', (host) =>
    expect(placed(dedicated, host)).toBeNull(),
  );

  it.each([
    '',
    'alpha.run.example..',
    'alpha.run.example:80:80',
    'alpha.run.example:x',
    'other.example,alpha.run.example',
    'user@other.example',
    'other.example/..',
    'other.example?x',
    'a b',
    'other"<x>',
    '[::1',
  ])('is unknown for %j, which is no host and could stand in a link', (host) => {
    for (const surface of ['managed', 'dedicated'] as const) {
      expect(placed({ surface }, host)).toBeNull();
      expect(placed({ surface, ...dedicated }, host)).toBeNull();
    }
  });

  it('is the managed one for other hosts, or for the listed ones', () => {
    expect(placed(dedicated, 'anything.example')).toBe(MANAGED_DEPLOYMENT_ID);
    expect(placed({}, '[::1]:8189')).toBe(MANAGED_DEPLOYMENT_ID);
    const listed = { managedHosts: ['api.example'] };
    expect(placed(listed, 'API.example:443')).toBe(MANAGED_DEPLOYMENT_ID);
    expect(placed(listed, 'other.example')).toBeNull();
    expect(placed(listed, '127.0.0.1:8189')).toBeNull();
  });

  it('is "default" for every host of a dedicated service without a host of deployments, and no other', () => {
    expect(placed({ surface: 'dedicated' }, '127.0.0.1:8189')).toBe('id of default production');
    expect(placed({ surface: 'dedicated', ...dedicated }, '127.0.0.1:8189')).toBeNull();
    expect(placed({ surface: 'dedicated', ...dedicated }, 'alpha.run.example')).toBe('id of alpha production');
  });
});
