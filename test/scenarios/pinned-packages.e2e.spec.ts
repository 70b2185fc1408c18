import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonOf } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKeyed } from '../security/keyed-heddle.ts';
import type { KeyedHeddle } from '../security/keyed-heddle.ts';
import { brightened, PACKAGES, publishPackage } from './published-package.ts';
import { RepinnedDeployment } from './repinned-heddle.ts';

describe('an environment that pins a package of the registry', { timeout: 60_000 }, () => {
  let heddle: KeyedHeddle;
  let folder: string;
  let alpha: RepinnedDeployment;

  beforeAll(async () => {
    heddle = await startKeyed();
    folder = await mkdtemp(join(tmpdir(), 'heddle-pinned-'));
    const key = await heddle.keyOf('acme');
    await publishPackage(folder, key, heddle);
    await heddle.admin('POST', 'deployments', { label: 'alpha', environment: { engine: 'builtin' } });
    alpha = new RepinnedDeployment(heddle, 'alpha', key);
    await alpha.reached('a ready deployment', ({ status }) => status === 'ready');
  }, 120_000);
  afterAll(async () => {
    await heddle.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const problems = async (inputs: object): Promise<unknown> => {
    const answer = await alpha.submit(brightened(inputs));
    if (answer.status === 201) return 'accepted';
    const { error } = jsonOf<{ error: { details?: { node_errors?: unknown } } }>(answer);
    return { status: answer.status, ...error.details };
  };

  it('is refused for a version that the registry does not have, in words', async () => {
    for (const version of ['2.0.0', 'none']) {
      const packages = [...PACKAGES, { id: 'image-tools', version }];
      const message = `422: .*The registry has no version image-tools@${version} that can be installed`;
      await expect(alpha.change('repin', { engine: 'builtin', packages })).rejects.toThrow(new RegExp(message));
      const created = heddle.admin('POST', 'deployments', { label: 'beta', environment: { packages } });
      await expect(created).rejects.toThrow(new RegExp(message));
    }
    await expect(heddle.admin('GET', 'deployments/beta')).rejects.toThrow(/404/);
  });

  it('validates with the classes of the package, those of the engine win', async () => {
    const unknown = { field: 'class_type', reason: 'unknown_node_class' };
    const named = { ...unknown, package: { node_id: 'image-tools', version: '1.0.0' } };
    // A verdict waits 100 ms for the registry's name of a package: the first call on a busy machine may take longer.
    await expect
      .poll(() => problems({ amount: 0.5, model: 'any.safetensors' }))
      .toEqual({
        status: 422,
        node_errors: { '3': [named] },
      });
    await alpha.change('repin', { engine: 'builtin', packages: PACKAGES });
    await alpha.reached('revision 2', ({ revision }) => revision === 2);
    expect(await problems({ amount: 0.5, model: 'any.safetensors' })).toBe('accepted');
    // What the registry does not know of the package is not checked.
    for (const model of [7, ['1', 0]]) expect(await problems({ amount: 0.5, model })).toBe('accepted');
    expect(await problems({ amount: 1.5 })).toEqual({
      status: 422,
      node_errors: { '3': [{ field: 'amount', reason: 'value_above_max' }] },
    });
  });

  it('stays as it is when the version is deleted, and cannot be pinned again', async () => {
    await heddle.admin('POST', 'registry/nodes/image-tools/versions/1.0.0/review', { status: 'deleted' });
    expect(await problems({ amount: 0.5 })).toBe('accepted');
    const again = alpha.change('repin', { engine: 'builtin', engine_version: 'next', packages: PACKAGES });
    await expect(again).rejects.toThrow(/image-tools@1\.0\.0 that can be installed/);
  });
});
