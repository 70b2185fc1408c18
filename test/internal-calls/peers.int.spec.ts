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
  const replicas = ['one', 'two', 'three'].map((instanceId) => ({ instanceId, told: new ToldReplica() }));
  const [one, two, three] = replicas as [(typeof replicas)[0], (typeof replicas)[0], (typeof replicas)[0]];
  let servers: CallServer[];
  const clients: ServiceClient[] = [];
  let urls: string[];
  beforeAll(async () => {
    db = await jobsDatabase();
    local = await openJobs(db);
    servers = await Promise.all(
      replicas.map(({ instanceId, told }) =>
        listening((routes) => serveJobs(routes, { ...local, peers: told, instanceId })),
      ),
    );
    urls = servers.map(({ url }) => url);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(servers.map((server) => server.close(0)));
    await local.close();
    await db.drop();
  });

  function peersOf(instanceId: string, token = tokenOf('jobs')): RemotePeers {
    const client = clientOf('jobs', urls, { token });
    clients.push(client);
    return new RemotePeers(client, instanceId);
  }
  const held = (key: string): HeldCredentials => ({
    jobId: newUuid() as JobId,
    credentials: { apiKey: new Secret(key), authToken: new Secret('t') },
  });

  it('tell all others and never themselves', async () => {
    const deploymentId = newUuid() as DeploymentId;
    const hints: PeerHints = {
      work: [{ deploymentId, jobId: null }],
      states: [{ workerId: 'w', state: { jobId: newUuid() as JobId, fence: 2, state: 'lost' } }],
      ended: [],
      commits: true,
      sequenced: false,
    };
    await peersOf('one').hint(hints);
    expect(one.told.hints).toEqual([]);
    expect([two.told.hints, three.told.hints]).toEqual([[hints], [hints]]);
  });

  it('ask each other for credentials, and leave theirs to exactly one other', async () => {
    const leaving = held('canary-3');
    await peersOf('one').keepCredentials([leaving]);
    expect(one.told.kept.length).toBe(0);
    expect(two.told.kept.length + three.told.kept.length).toBe(1);
    const holder = two.told.kept.length === 1 ? two : three;
    const asker = holder === two ? three : two;
    const found = await peersOf(asker.instanceId).takeCredentials(leaving.jobId);
    expect([found?.apiKey?.reveal(), found?.authToken?.reveal()]).toEqual(['canary-3', 't']);
    expect(await peersOf('one').takeCredentials(newUuid() as JobId)).toBeNull();
  });

  it('listen to nobody else', async () => {
    await expect(peersOf('one', tokenOf('gateway')).keepCredentials([held('x')])).rejects.toThrow(/no other replica/);
    expect(
      await peersOf('one', tokenOf('worker')).takeCredentials(two.told.kept[0]?.jobId ?? (newUuid() as JobId)),
    ).toBeNull();
  });

  it('go on when others are away, and say when nobody is left to take credentials', async () => {
    await Promise.all(servers.slice(1).map((server) => server.close(0)));
    await peersOf('one').hint({ work: [], states: [], ended: [], commits: true, sequenced: true });
    await expect(peersOf('one').keepCredentials([held('x')])).rejects.toThrow(/no other replica/);
    await peersOf('four').keepCredentials([held('y')]);
    expect(one.told.kept.length).toBe(1);
  });
});
