import { setTimeout as delay } from 'node:timers/promises';
import { newUuid } from '@heddle/contracts-messages';
import type {
  AccountId,
  DeploymentAnswer,
  DeploymentFeed,
  DeploymentsPort,
  DeploymentView,
} from '@heddle/contracts-messages';
import { expect, it } from 'vitest';
import { BUILTIN, plain, someLabel, viewOf } from './deployments-under-test.js';
import type { DeploymentsUnderTest } from './deployments-under-test.js';

const ENVIRONMENT = {
  image: 'registry.example/engine:1',
  engine: 'builtin',
  engineVersion: '0.4',
  packages: [{ id: 'pack', version: '1.2' }],
  catalogue: Buffer.from('{"KSampler":{"display_name":"é","output":["LATENT"]}}'),
};
const NO_LIMITS = { maxRuntimeS: null, jobRetentionS: null, queueDepth: null };
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
/** Longer than a test may take: a call that returns what it waited for has not waited to the end. */
const LONG_MS = 10_000;

function refusalOf(answer: DeploymentAnswer): string {
  return answer.ok ? 'none' : answer.refusal.kind;
}

async function until(ask: () => Promise<DeploymentAnswer>, status: string): Promise<DeploymentView> {
  for (const deadline = Date.now() + 10_000; ; await delay(10)) {
    const view = viewOf(await ask());
    if (view.status === status) return view;
    if (Date.now() > deadline) throw new Error(`still ${view.status}`);
  }
}

/** DeploymentsPort and DeploymentFeed, directly and over gRPC */
export function itManagesDeployments(
  deployments: () => DeploymentsPort,
  feed: () => DeploymentFeed,
  worker: DeploymentsUnderTest['worker'],
): void {
  it('creates a deployment with everything that is given, and shows all of it', async () => {
    const [label, accountId] = [someLabel(), newUuid() as AccountId];
    const limits = { maxRuntimeS: 0.5, jobRetentionS: 3600, queueDepth: 0 };
    const options = { slots: 3, publicDemo: true, startDelayS: 1.5, limits };
    const name = { label, stage: 'staging' } as const;
    const given = { ...name, accountId, provider: 'external', environment: ENVIRONMENT, options } as const;
    const { catalogue: _, ...pinned } = ENVIRONMENT;
    const environment = { ...pinned, revision: 1, catalogueHash: expect.stringMatching(/^blake3:/) as string };
    const view = viewOf(await deployments().create(given));
    expect(view).toEqual({
      deploymentId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      ...name,
      host: `${label}.stg.run.localhost`,
      accountId,
      status: 'provisioning',
      reason: 'created by the operator',
      statusSince: ISO,
      provider: 'external',
      ...options,
      workers: 0,
      waiting: 0,
      running: 0,
      revision: 1,
      nextRevision: null,
      retiringRevisions: [],
      environment,
      coldStartS: null,
      createdAt: ISO,
    });
    expect(await deployments().idOf(name)).toBe(view.deploymentId);
    const listed = (await deployments().list()).find(({ deploymentId }) => deploymentId === view.deploymentId);
    expect(listed).toMatchObject({ ...name, environment });
    const entry = (await feed().changes(null, 0)).entries.find(
      ({ deploymentId }) => deploymentId === view.deploymentId,
    );
    expect(entry).toEqual({
      deploymentId: view.deploymentId,
      ...name,
      accountId,
      status: expect.stringMatching(/^(provisioning|starting)$/) as string,
      awaitsWorker: true,
      statusSince: ISO,
      reason: expect.any(String) as string,
      version: expect.any(Number) as number,
      startedAt: ISO,
      revision: 1,
      catalogue: {
        engine: view.environment.engine,
        catalogueHash: view.environment.catalogueHash,
        packages: view.environment.packages,
      },
      coldStartS: null,
      publicDemo: true,
      limits,
    });
  });

  it('keeps what a change does not name, and takes the setting again for a limit of null', async () => {
    const name = { label: someLabel(), stage: 'production' } as const;
    const first = viewOf(await deployments().create(plain(name.label)));
    expect(first).toMatchObject({ slots: 1, publicDemo: false, startDelayS: 0, limits: NO_LIMITS, accountId: null });
    const limits = { maxRuntimeS: 60, jobRetentionS: 70, queueDepth: 80 };
    expect(viewOf(await deployments().set(name, { slots: 2, limits }))).toMatchObject({ slots: 2, limits });
    const less = { ...limits, jobRetentionS: null };
    expect(viewOf(await deployments().set(name, { limits: less }))).toMatchObject({ slots: 2, limits: less });
    expect(viewOf(await deployments().set(name, { publicDemo: true }))).toMatchObject({ slots: 2, limits: less });
  });

  it('pins a document that was stored before by its hash, and refuses the hash of another', async () => {
    const name = { label: someLabel(), stage: 'production' } as const;
    const { environment } = viewOf(await deployments().create({ ...plain(name.label), environment: ENVIRONMENT }));
    const catalogue = environment.catalogueHash;
    const again = viewOf(await deployments().create({ ...plain(someLabel()), environment: { ...BUILTIN, catalogue } }));
    expect(again.environment.catalogueHash).toBe(catalogue);
    const unknown = { ...BUILTIN, catalogue: `blake3:${'0'.repeat(64)}` };
    expect(refusalOf(await deployments().repin(name, unknown))).toBe('option');
    expect(refusalOf(await deployments().create({ ...plain(someLabel()), environment: unknown }))).toBe('option');
    const { catalogue: catalogueHash } = unknown;
    expect(refusalOf(await deployments().repin(name, { ...ENVIRONMENT, catalogueHash }))).toBe('option');
    expect(refusalOf(await deployments().repin(name, { ...ENVIRONMENT, catalogueHash: catalogue! }))).toBe('none');
  });

  it('refuses with a kind and a sentence', async () => {
    const name = { label: someLabel(), stage: 'production' } as const;
    const nobody = { ...name, label: 'nobody' };
    viewOf(await deployments().create(plain(name.label)));
    expect(await deployments().create(plain(name.label))).toEqual({
      ok: false,
      refusal: { kind: 'exists', message: expect.stringContaining(name.label) as string },
    });
    for (const options of [{ slots: 0 }, { slots: 1.5 }, { slots: -1 }, { startDelayS: Number.NaN }]) {
      expect(refusalOf(await deployments().set(name, options)), JSON.stringify(options)).toBe('option');
    }
    expect(refusalOf(await deployments().create(plain('stg')))).toBe('option');
    expect(refusalOf(await deployments().repin(name, { ...BUILTIN, catalogue: Buffer.from('[') }))).toBe('option');
    expect(refusalOf(await deployments().delete(name))).toBe('state');
    for (const verb of ['show', 'pause', 'resume', 'drain', 'start', 'delete'] as const) {
      expect(refusalOf(await deployments()[verb](nobody)), verb).toBe('unknown');
    }
    expect(await deployments().idOf(nobody)).toBeNull();
  });

  it('leads a deployment through its life', async () => {
    const name = { label: someLabel(), stage: 'production' } as const;
    const session = worker(viewOf(await deployments().create(plain(name.label))).deploymentId);
    const ready = await until(() => deployments().show(name), 'ready');
    expect(ready).toMatchObject({ workers: 1, coldStartS: expect.any(Number) as number });
    expect(await deployments().start(name)).toMatchObject({
      ok: true,
      note: expect.stringContaining('already ready') as string,
    });
    expect(await deployments().pause(name)).toEqual({
      ok: true,
      value: expect.objectContaining({ status: 'unavailable' }) as object,
    });
    expect(viewOf(await deployments().resume(name)).status).toBe('ready');
    await session.close();
    expect(viewOf(await deployments().drain(name)).status).toBe('draining');
    await until(() => deployments().show(name), 'stopped');
    expect(viewOf(await deployments().repin(name, ENVIRONMENT)).environment).toMatchObject({ engineVersion: '0.4' });
    expect(viewOf(await deployments().start(name)).status).toBe('provisioning');
    viewOf(await deployments().drain(name));
    await until(() => deployments().show(name), 'stopped');
    expect(viewOf(await deployments().delete(name)).status).toBe('deleted');
  });

  it('answers a call that waits as soon as something changes, and never with an older state', async () => {
    const name = { label: someLabel(), stage: 'production' } as const;
    const { deploymentId } = viewOf(await deployments().create(plain(name.label)));
    const session = worker(deploymentId);
    await until(() => deployments().show(name), 'ready');
    let { next } = await feed().changes(null, 0);
    const seen: string[] = [];
    for (let status = ''; status !== 'unavailable';) {
      const waiting = feed().changes(next, LONG_MS);
      if (seen.length === 0) viewOf(await deployments().pause(name));
      const changes = await waiting;
      const own = changes.entries.find((entry) => entry.deploymentId === deploymentId);
      status = own?.status ?? status;
      seen.push(status);
      ({ next } = changes);
      expect(changes.entries, seen.join()).not.toEqual([]);
    }
    await session.close();
    expect(await feed().changes('not a number', 0)).toMatchObject({ next: expect.any(String) as string });
  });
}
