import type { DeploymentDirectory, DeploymentId, DirectoryEntry } from '@heddle/contracts-messages';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

export interface DirectoryUnderTest {
  readonly directory: DeploymentDirectory;
  /** Resolves when the directory has heard of the entries. */
  hear(...entries: readonly DirectoryEntry[]): Promise<void>;
  end(): Promise<void>;
}

export function anEntry(id: string, changes: Partial<DirectoryEntry> = {}): DirectoryEntry {
  return {
    deploymentId: id as DeploymentId,
    label: 'alpha',
    stage: 'production',
    accountId: null,
    status: 'starting',
    awaitsWorker: false,
    statusSince: '2026-01-01T00:00:00.000Z',
    reason: 'created by the operator',
    version: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    revision: 1,
    catalogue: { engine: 'builtin', catalogueHash: null, packages: [] },
    coldStartS: null,
    publicDemo: false,
    limits: { maxRuntimeS: null, jobRetentionS: null, queueDepth: null },
    ...changes,
  };
}

/** The contract of every directory of deployments. */
export function describeDeploymentDirectory(name: string, make: () => Promise<DirectoryUnderTest>): void {
  describe(name, () => {
    let under: DirectoryUnderTest;
    let directory: DeploymentDirectory;
    beforeEach(async () => {
      under = await make();
      directory = under.directory;
    });
    afterEach(() => under.end());

    it('finds a deployment by its label and stage, and by its id, as it was told', async () => {
      const entry = anEntry('d1');
      await under.hear(entry);
      expect(directory.find('alpha', 'production')).toEqual(entry);
      expect(directory.byId(entry.deploymentId)).toEqual(entry);
    });

    it('finds nothing by another label, stage or id', async () => {
      await under.hear(anEntry('d1'));
      for (const label of ['beta', '', 'alpha ', 'ALPHA', 'production alpha'])
        expect(directory.find(label, 'production'), label).toBeNull();
      expect(directory.find('alpha', 'staging')).toBeNull();
      expect(directory.byId('d2' as DeploymentId)).toBeNull();
    });

    it('holds both stages of a label apart', async () => {
      await under.hear(anEntry('d1'), anEntry('d2', { stage: 'staging' }));
      expect(directory.find('alpha', 'production')?.deploymentId).toBe('d1');
      expect(directory.find('alpha', 'staging')?.deploymentId).toBe('d2');
    });

    it('replaces an entry by a newer one', async () => {
      await under.hear(anEntry('d1'));
      await under.hear(anEntry('d1', { version: 2, status: 'ready' }));
      expect(directory.find('alpha', 'production')?.status).toBe('ready');
      expect(directory.byId('d1' as DeploymentId)?.status).toBe('ready');
    });

    it('ignores an entry that is older than what it has, or the same', async () => {
      const newest = anEntry('d1', { version: 3, status: 'ready' });
      await under.hear(newest, anEntry('d1', { version: 2 }), anEntry('d1', { version: 3, status: 'stopped' }));
      expect(directory.find('alpha', 'production')).toEqual(newest);
      expect(directory.byId('d1' as DeploymentId)).toEqual(newest);
    });

    it('forgets a deleted deployment, also if an older entry comes late', async () => {
      await under.hear(anEntry('d1', { version: 2 }), anEntry('d2', { label: 'beta' }));
      await under.hear(anEntry('d1', { version: 5, status: 'deleted' }), anEntry('d1', { version: 4 }));
      expect(directory.find('alpha', 'production')).toBeNull();
      expect(directory.byId('d1' as DeploymentId)).toBeNull();
      expect(directory.find('beta', 'production')?.deploymentId).toBe('d2');
    });
  });
}
