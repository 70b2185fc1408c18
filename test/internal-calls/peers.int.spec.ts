import { RemotePeers, serveJobs } from '@heddle/internal-api';
import { newUuid, Secret } from '@heddle/contracts-messages';
import type { DeploymentId, HeldCredentials, JobId, PeerHints, PeersPort } from '@heddle/contracts-messages';
import type { CallServer, ServiceClient } from '@heddle/platform-service-calls';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, listening, tokenOf } from './call-servers.js';
import { jobsDatabase, openJobs } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';

/** A replica that writes down what it is told. */
class ToldReplica implements PeersPort {
  readonly hints: PeerHints[] = [];
  readonly kept: HeldCredentials[] = [];

  hint(hints: PeerHints): Promise<void> {
    this.hints.push(hints);
    return Promise.resolve();
  }

  takeCredentials(jobId: JobId): Promise<HeldCredentials['credentials'] | null> {
    return Promise.resolve(this.kept.find((held) => held.jobId === jobId)?.credentials ?? null);
  }

  keepCredentials(held: readonly HeldCredentials[]): Promise<void> {
    this.kept.push(...held);
    return Promise.resolve();
  }
}

describe('replicas of the jobs service', () => {
  let db: TestDatabase;
  let local: JobsUnderTest;
  const replicas = ['one', 'two'].map((instanceId) => ({ instanceId, told: new ToldReplica() }));
  const [one, two] = replicas as [(typeof replicas)[0], (typeof replicas)[0]];
  let servers: CallServer[];
  const clients: ServiceClient[] = [];
  let urls: string[];
  beforeAll(async () => {
    db = await jobsDatabase();
    local = await openJobs(db);
    servers = await Promise.all(
      replicas.map(({ instanceId, told }) => listening((routes) => serveJobs(routes, { peers: told, instanceId }))),
    );
    urls = servers.map(({ url }) => url);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(servers.map((server) => server.close(0)));
    await local.close();
    await db.drop();
  });

  /** The replica `to` as the replica `from` calls it. */
  function peer(from: string, to: number, token = tokenOf('jobs')): RemotePeers {
    const client = clientOf('jobs', [urls[to]!], { token });
    clients.push(client);
    return new RemotePeers(client, from);
  }
  const held = (key: string): HeldCredentials => ({
    jobId: newUuid() as JobId,
    credentials: { apiKey: new Secret(key), authToken: new Secret('t') },
  });

  it('tell each other, and never themselves', async () => {
    const hints: PeerHints = {
      work: [{ deploymentId: newUuid() as DeploymentId, jobId: null }],
      states: [{ workerId: 'w', state: { jobId: newUuid() as JobId, fence: 2, state: 'lost' } }],
      ended: [newUuid() as JobId],
      commits: true,
      sequenced: false,
    };
    await Promise.all([peer('one', 0).hint(hints), peer('one', 1).hint(hints)]);
    expect([one.told.hints, two.told.hints]).toEqual([[], [hints]]);
  });

  it('leave credentials to each other and ask for them', async () => {
    const leaving = held('canary-3');
    await peer('one', 1).keepCredentials([leaving]);
    await expect(peer('one', 0).keepCredentials([leaving])).rejects.toThrow(/leads back to this one/);
    expect([one.told.kept.length, two.told.kept.length]).toEqual([0, 1]);
    const found = await peer('three', 1).takeCredentials(leaving.jobId);
    expect([found?.apiKey?.reveal(), found?.authToken?.reveal()]).toEqual(['canary-3', 't']);
    expect(await peer('three', 0).takeCredentials(leaving.jobId)).toBeNull();
  });

  it('listen to nobody else', async () => {
    for (const service of ['gateway', 'worker', 'assets']) {
      await expect(peer('four', 1, tokenOf(service)).keepCredentials([held('x')])).rejects.toMatchObject({
        status: 403,
      });
      await expect(peer('four', 1, tokenOf(service)).takeCredentials(newUuid() as JobId)).rejects.toMatchObject({
        status: 403,
      });
    }
  });

  it('that do not answer have not said that they hold nothing', async () => {
    await servers[1]!.close(0);
    await expect(peer('one', 1).takeCredentials(newUuid() as JobId)).rejects.toMatchObject({
      name: 'ServiceAwayError',
    });
    await expect(peer('one', 1).hint({ ...NOTHING, commits: true })).rejects.toMatchObject({
      name: 'ServiceAwayError',
    });
  });
});

const NOTHING: PeerHints = { work: [], states: [], ended: [], commits: false, sequenced: false };
