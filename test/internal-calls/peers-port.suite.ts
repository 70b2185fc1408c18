import { newUuid, Secret } from '@heddle/contracts-messages';
import type { DeploymentId, HeldCredentials, JobId, PeerHints, PeersPort } from '@heddle/contracts-messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobsDatabase, openJobs, until } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';
import { workerOn } from './work-port.suite.js';

/** A binding of the port to a replica. */
export interface BoundPeers {
  readonly peers: PeersPort;
  close(): Promise<void>;
}

export const NO_HINTS: PeerHints = { work: [], states: [], ended: [], commits: false, sequenced: false };

export function heldCredentials(key: string): HeldCredentials {
  return { jobId: newUuid() as JobId, credentials: { apiKey: new Secret(key), authToken: new Secret('') } };
}

/** Conformance suite of PeersPort. `bind` connects the port to the replica of the suite. */
export function describePeersPort(name: string, bind: (replica: JobsUnderTest) => Promise<BoundPeers>): void {
  describe(`PeersPort ${name}`, () => {
    let replica: JobsUnderTest;
    let bound: BoundPeers;
    let peers: PeersPort;
    const ends: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      const db = await jobsDatabase();
      replica = await openJobs(db);
      bound = await bind(replica);
      ({ peers } = bound);
      ends.push(
        () => bound.close(),
        () => replica.close(),
        () => db.drop(),
      );
    });
    afterAll(async () => {
      for (const end of ends) await end();
    });

    it('leaves credentials and takes them, and reports that there are none', async () => {
      const one = heldCredentials('canary-1');
      const other: HeldCredentials = { jobId: newUuid() as JobId, credentials: { authToken: new Secret('t') } };
      await peers.keepCredentials([one, other]);
      await peers.keepCredentials([]);
      for (let n = 0; n < 2; n += 1) {
        const found = await peers.takeCredentials(one.jobId);
        expect([found?.apiKey?.reveal(), found?.authToken?.reveal()]).toEqual(['canary-1', '']);
        expect(JSON.stringify(found)).not.toContain('canary-1');
      }
      expect(await peers.takeCredentials(other.jobId)).not.toHaveProperty('apiKey');
      expect(await peers.takeCredentials(newUuid() as JobId)).toBeNull();
    });

    it('drops the credentials of jobs that have ended', async () => {
      const [ended, open] = [heldCredentials('canary-2'), heldCredentials('canary-3')];
      await peers.keepCredentials([ended, open]);
      await peers.hint({ ...NO_HINTS, ended: [ended.jobId] });
      await until(async () => (await peers.takeCredentials(ended.jobId)) === null, 'the credentials are dropped');
      expect(await peers.takeCredentials(open.jobId)).not.toBeNull();
    });

    it('notifies the workers of the replica of their leases', async () => {
      const workerId = `é-${newUuid()}`;
      const worker = workerOn(replica.work, newUuid() as DeploymentId, workerId);
      const other = workerOn(replica.work, newUuid() as DeploymentId);
      const states = (['held', 'cancel_requested', 'lost'] as const).map((state) => ({
        workerId,
        state: { jobId: newUuid() as JobId, fence: 2, state },
      }));
      await peers.hint({ ...NO_HINTS, states });
      await until(() => Promise.resolve(worker.states.length === states.length), 'the news of the leases');
      expect(worker.states).toEqual(states.map(({ state }) => state));
      expect(other.states).toEqual([]);
      await Promise.all([worker.session.close(), other.session.close()]);
    });

    it('takes hints of work and of the log, also of unknown jobs, and hints of nothing', async () => {
      const pool = { deploymentId: newUuid() as DeploymentId, revision: 7 };
      const work = [
        { ...pool, jobId: null },
        { ...pool, jobId: newUuid() as JobId },
      ];
      await expect(peers.hint({ ...NO_HINTS, work, commits: true, sequenced: true })).resolves.toBeUndefined();
      await expect(peers.hint(NO_HINTS)).resolves.toBeUndefined();
    });
  });
}
