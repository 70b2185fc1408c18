import type { ServedCalls } from '@heddle/platform-service-calls/serve';
import { newUuid } from '@heddle/contracts-messages';
import type { DeploymentId, HeldCredentials, JobId, PeerHints, PeersPort } from '@heddle/contracts-messages';
import { RemotePeers } from '@heddle/internal-api';
import { servedPeers } from '@heddle/internal-api/serve';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from './call-servers.js';
import { channelTo, servingCalls } from './grpc-servers.js';
import { describePeersPort, heldCredentials, NO_HINTS } from './peers-port.suite.js';
import { describeRefusals } from './refused-calls.suite.js';

/** A replica that records the calls that it receives */
class RecordingReplica implements PeersPort {
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

const ALL: PeerHints = {
  work: [
    { deploymentId: newUuid() as DeploymentId, revision: 0, jobId: null },
    { deploymentId: newUuid() as DeploymentId, revision: 7, jobId: newUuid() as JobId },
  ],
  states: (['held', 'cancel_requested', 'lost'] as const).map((state) => ({
    workerId: 'é',
    state: { jobId: newUuid() as JobId, fence: 2, state },
  })),
  ended: [newUuid() as JobId],
  commits: true,
  sequenced: false,
};

describePeersPort('in one process', ({ peers }) => Promise.resolve({ peers, close: () => Promise.resolve() }));
describePeersPort('over gRPC', async (replica) => {
  const server = await servingCalls([servedPeers(replica.peers, replica.instanceId)]);
  const channel = channelTo('jobs', [server.url], { token: tokenOf('jobs') });
  return {
    peers: new RemotePeers(channel, 'two'),
    close: async () => {
      await channel.close();
      await server.close();
    },
  };
});

describeRefusals('jobs', servedPeers({} as never, 'one'));

describe('replicas of the jobs service', () => {
  const one = new RecordingReplica();
  const channels: ServiceChannel[] = [];
  let server: ServedCalls;
  beforeAll(async () => {
    server = await servingCalls([servedPeers(one, 'one')]);
  });
  afterAll(async () => {
    for (const channel of channels) await channel.close();
    await server.close();
  });
  function from(name: string): RemotePeers {
    const channel = channelTo('jobs', [server.url], { token: tokenOf('jobs') });
    channels.push(channel);
    return new RemotePeers(channel, name);
  }

  it('carry hints of every kind, and none', async () => {
    await from('two').hint(ALL);
    await from('two').hint(NO_HINTS);
    expect(one.hints.splice(0)).toEqual([ALL, NO_HINTS]);
  });

  it('never notify themselves, nor keep what they leave', async () => {
    await from('one').hint(ALL);
    await expect(from('one').keepCredentials([heldCredentials('canary-3')])).rejects.toThrow(/leads back to this one/);
    expect(await from('one').takeCredentials(newUuid() as JobId)).toBeNull();
    expect([one.hints, one.kept]).toEqual([[], []]);
  });

  it('ask about no job that is none', async () => {
    const malformed = { name: 'CallRefusedError', status: 400, code: 'malformed' };
    await expect(from('two').takeCredentials('x' as JobId)).rejects.toMatchObject(malformed);
  });

  it('that do not answer have not said that they hold nothing', async () => {
    await server.close();
    const away = { name: 'ServiceAwayError' };
    await expect(from('two').takeCredentials(newUuid() as JobId)).rejects.toMatchObject(away);
    await expect(from('two').hint({ ...NO_HINTS, commits: true })).rejects.toMatchObject(away);
  });
});
