import { describe, expect, it } from 'vitest';
import { BUILTIN, DeploymentsForSpecs, eventually, named, viewOf } from '../deployments-under-test.fixture.js';

describe('deployments', () => {
  const spec = new DeploymentsForSpecs();

  it('keep what a command does not name', async () => {
    const name = { label: 'kept', stage: 'production' } as const;
    viewOf(await spec.deployments.create(named('kept', { options: { slots: 3, publicDemo: true } })));
    const limits = { maxRuntimeS: 60, jobRetentionS: null, queueDepth: null };
    expect(viewOf(await spec.deployments.set(name, { limits }))).toMatchObject({ slots: 3, publicDemo: true, limits });
    expect(viewOf(await spec.deployments.set(name, { slots: 4 }))).toMatchObject({ slots: 4, limits });
    expect(await spec.deployments.set({ ...name, label: 'nobody' }, { slots: 4 })).toMatchObject({
      refusal: { kind: 'unknown' },
    });
    for (const options of [{ slots: 0 }, { slots: 1.5 }, { startDelayS: -1 }]) {
      expect(await spec.deployments.set({ label: 'kept', stage: 'production' }, options)).toMatchObject({
        refusal: { kind: 'option' },
      });
    }
  });

  it('take the environment that they have without a new revision, and say so', async () => {
    const name = { label: 'same', stage: 'staging' } as const;
    const catalogue = Buffer.from('{"KSampler":{"output":["LATENT"]}}');
    const environment = { ...BUILTIN, packages: [{ id: 'pack', version: '1' }], catalogue };
    const first = viewOf(await spec.deployments.create(named('same', { ...name, environment })));
    const note = 'The deployment same.stg has this environment already, as revision 1. Nothing was changed.';
    const byHash = { ...environment, catalogue: first.environment.catalogueHash };
    for (const again of [environment, byHash, { ...environment, catalogueHash: byHash.catalogue! }]) {
      expect(await spec.deployments.repin(name, again)).toMatchObject({
        note,
        value: { revision: 1, nextRevision: null, environment: first.environment },
      });
    }
    expect(viewOf(await spec.deployments.repin(name, BUILTIN)).nextRevision).toBe(2);
    expect(await spec.deployments.repin(name, BUILTIN)).toMatchObject({
      value: { nextRevision: 2 },
      note: expect.any(String) as string,
    });
  });

  it('refuse a catalogue with the hash of another one, and name both', async () => {
    const catalogue = Buffer.from('{"KSampler":{"output":["LATENT"]}}');
    const { environment } = viewOf(
      await spec.deployments.create(named('hashed', { environment: { ...BUILTIN, catalogue } })),
    );
    const catalogueHash = `blake3:${'0a'.repeat(32)}`;
    const refused = await spec.deployments.create(
      named('other', { environment: { ...BUILTIN, catalogue, catalogueHash } }),
    );
    expect(refused).toMatchObject({
      refusal: { kind: 'option', message: expect.stringContaining(catalogueHash) as string },
    });
    expect(JSON.stringify(refused)).toContain(environment.catalogueHash);
  });

  it('name the command that does what was wanted', async () => {
    const name = { label: 'meant', stage: 'staging' } as const;
    const { deploymentId } = viewOf(await spec.deployments.create(named('meant', name)));
    expect(await spec.deployments.resume(name)).toMatchObject({
      refusal: { message: expect.stringContaining('once it is ready') as string },
    });
    spec.pools.workers = [{ deploymentId, revision: 1, workers: 1 }];
    await eventually(
      async () => viewOf(await spec.deployments.show(name)),
      ({ status }) => status === 'ready',
    );
    for (const [verb, note] of [
      ['start', 'The deployment meant.stg is already ready. Nothing was changed.'],
      ['resume', 'The deployment meant.stg is not paused: it is ready. Nothing was changed.'],
    ] as const)
      expect(await spec.deployments[verb](name)).toMatchObject({ ok: true, note });
    expect(await spec.deployments.pause(name)).not.toHaveProperty('note');
    expect(await spec.deployments.pause(name)).toMatchObject({
      note: 'The deployment meant.stg is already paused. Nothing was changed.',
    });
    const message =
      'The deployment meant.stg is unavailable: it is paused, and heddle deployments resume meant --stage staging ends a pause.';
    expect(await spec.deployments.start(name)).toEqual({ ok: false, refusal: { kind: 'state', message } });
    spec.pools.workers = [];
  });
});
