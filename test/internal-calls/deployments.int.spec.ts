import type { ServedCalls } from '@heddle/platform-service-calls/serve';
import { MAX_FEED_WAIT_MS } from '@heddle/contracts-messages';
import type { AccountId, CataloguesPort, DeploymentFeed, DeploymentsPort } from '@heddle/contracts-messages';
import { FollowedDirectory } from '@heddle/deployments/directory';
import { RemoteCatalogues, RemoteDeployments } from '@heddle/internal-api';
import { servedCatalogues, servedDeployments } from '@heddle/internal-api/serve';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from './call-servers.js';
import { itReadsCatalogues } from './catalogues-port.suite.js';
import { itManagesDeployments } from './deployments-port.suite.js';
import { deploymentsDatabase, openDeployments, plain } from './deployments-under-test.js';
import type { DeploymentsUnderTest } from './deployments-under-test.js';
import { channelTo, servingCalls } from './grpc-servers.js';
import { describeRefusals } from './refused-calls.suite.js';

// No refused call reaches the ports.
describeRefusals('deployments', servedDeployments({ deployments: {} as never, feed: {} as never }));
describeRefusals('catalogues', servedCatalogues({ document: () => Promise.reject(new Error('reached')) }));

describe('DeploymentsPort, DeploymentFeed and CataloguesPort', () => {
  let db: TestDatabase;
  let local: DeploymentsUnderTest;
  let second: DeploymentsUnderTest;
  let server: ServedCalls;
  let gateway: RemoteDeployments;
  let validation: RemoteCatalogues;
  const channels: ServiceChannel[] = [];
  const channel = (url: string, service: string): ServiceChannel => {
    const opened = channelTo('jobs', [url], { token: tokenOf(service) });
    channels.push(opened);
    return opened;
  };
  const remote = (url: string, service = 'gateway'): RemoteDeployments => new RemoteDeployments(channel(url, service));
  beforeAll(async () => {
    db = await deploymentsDatabase();
    [local, second] = [await openDeployments(db), await openDeployments(db)];
    server = await servingCalls([servedDeployments(local), servedCatalogues(local.catalogues)]);
    gateway = remote(server.url);
    validation = new RemoteCatalogues(channel(server.url, 'validation'));
  });
  afterAll(async () => {
    for (const opened of channels) await opened.close();
    await server.close();
    await local.close();
    await second.close();
    await db.drop();
  });

  describe.each([
    ['direct', (): DeploymentsPort => local.deployments, (): DeploymentFeed => local.feed],
    ['over gRPC', (): DeploymentsPort => gateway, (): DeploymentFeed => gateway],
    // What one replica commits, the feed of the other one brings.
    ['at two replicas', (): DeploymentsPort => second.deployments, (): DeploymentFeed => gateway],
  ])('%s', (_, binding, feed) => itManagesDeployments(binding, feed, (id) => local.worker(id)));

  describe.each([
    ['direct', (): CataloguesPort => local.catalogues],
    ['over gRPC', (): CataloguesPort => validation],
  ])('%s', (_, binding) => itReadsCatalogues(binding, () => local.deployments));

  it('refuses a hash of another form', async () => {
    const malformed = { name: 'CallRefusedError', status: 400, code: 'malformed' };
    for (const hash of ['', `blake3:${'0'.repeat(63)}`, '0'.repeat(64)]) {
      await expect(validation.document(hash), hash).rejects.toMatchObject(malformed);
    }
  });

  it('is open to gateways alone, and takes ids and waits of its form', async () => {
    const refused = { name: 'CallRefusedError', status: 403 };
    await expect(remote(server.url, 'worker').list()).rejects.toMatchObject(refused);
    await expect(remote(server.url, 'assets').changes(null, 0)).rejects.toMatchObject(refused);
    const malformed = { name: 'CallRefusedError', status: 400, code: 'malformed' };
    await expect(gateway.create({ ...plain('x'), accountId: 'x' as AccountId })).rejects.toMatchObject(malformed);
    await expect(gateway.changes(null, MAX_FEED_WAIT_MS + 1)).rejects.toMatchObject(malformed);
  });

  it('keeps the last directory of a gateway while the service is away, says so, and brings what was missed', async () => {
    const first = await servingCalls([servedDeployments(local)]);
    const port = Number(new URL(first.url).port);
    const lines: string[] = [];
    const directory = new FollowedDirectory(remote(first.url), (line) => lines.push(line));
    expect(() => directory.find('kept', 'production')).toThrow('not known yet');
    expect(directory.trouble).toBe('the deployments were not read yet');
    expect(await local.deployments.create(plain('kept'))).toMatchObject({ ok: true });
    await directory.start(new AbortController().signal);
    expect(directory.trouble).toBeNull();
    await expect.poll(() => directory.find('kept', 'production')?.status).toBe('starting');

    await first.close();
    await expect.poll(() => directory.trouble, { timeout: 20_000 }).toMatch(/^not read for \d+ s$/);
    await local.deployments.drain({ label: 'kept', stage: 'production' });
    expect(directory.find('kept', 'production')).toMatchObject({ status: 'starting' });

    const again = await servingCalls([servedDeployments(local)], { port });
    await expect
      .poll(() => directory.find('kept', 'production')?.status, { timeout: 20_000 })
      .toMatch(/^(draining|stopped)$/);
    await expect.poll(() => directory.trouble).toBeNull();
    expect(lines).toEqual([
      'the directory of deployments stays as it is',
      'the directory of deployments is up to date again',
    ]);
    await directory.stop();
    await again.close();
  });
});
