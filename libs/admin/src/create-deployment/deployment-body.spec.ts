import { RejectionError } from '@heddle/platform-http';
import { describe, expect, it } from 'vitest';
import { adminBody } from '../read-request/admin-body.js';
import { DeploymentBody, EnvironmentBody } from './deployment-body.dto.js';

const created = adminBody(() => Promise.resolve(DeploymentBody));
const repinned = adminBody(() => Promise.resolve(EnvironmentBody));
const bytes = (body: unknown): Buffer => Buffer.from(JSON.stringify(body));

async function problems(read: Promise<unknown>): Promise<unknown> {
  const error = await read.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof RejectionError ? error.rejection.details?.['fields'] : error;
}

describe('the environment of a deployment', () => {
  it('is the built-in engine by default', async () => {
    const body = await created.transform(bytes({ label: 'alpha' }));
    expect(body.toEnvironment().engine).toBe('builtin');
  });

  it('may be one that was shown, with its revision and the digest of its catalogue', async () => {
    const shown = { revision: 3, image: null, engine: 'builtin', engine_version: null, packages: [] };
    const environment = { ...shown, catalogue_hash: null };
    expect(await problems(created.transform(bytes({ label: 'alpha', environment })))).toBeNull();
    expect(await problems(repinned.transform(bytes(environment)))).toBeNull();
    const catalogueHash = `blake3:${'0a'.repeat(32)}`;
    const pinned = await repinned.transform(bytes({ ...shown, catalogue_hash: catalogueHash }));
    expect(pinned.toEnvironment().catalogue).toBe(catalogueHash);
    const both = await repinned.transform(bytes({ catalogue: { A: {} }, catalogue_hash: catalogueHash }));
    expect(both.toEnvironment()).toMatchObject({ catalogue: Buffer.from('{"A":{}}'), catalogueHash });
  });

  it.each([
    ['an unknown field', { engin: 'http://127.0.0.1:8188' }, 'engin'],
    ['a number as image', { image: 5 }, 'image'],
    ['a number as engine', { engine: 5 }, 'engine'],
    ['a package with another field', { packages: [{ id: 'a', version: '1', ref: 'main' }] }, 'packages'],
    ['a hash of another form', { catalogue_hash: 'blake3:1' }, 'catalogue_hash'],
    ['packages that are no list', { packages: 'all' }, 'packages'],
    ['a revision that is no number', { revision: 'two' }, 'revision'],
  ])('is refused with %s, by its path at a creation and at a re-pin', async (_what, environment, field) => {
    const path = `environment.${field}`;
    expect(await problems(created.transform(bytes({ label: 'alpha', environment })))).toHaveProperty([path]);
    expect(await problems(repinned.transform(bytes(environment)))).toHaveProperty([field]);
  });

  it('is refused with the word that a mistyped provider may mean', async () => {
    expect(await problems(created.transform(bytes({ label: 'alpha', provider: 'locl' })))).toEqual({
      provider: 'must be local or external; did you mean local?',
    });
  });

  it.each([
    ['a text', 'builtin'],
    ['a list', [{ engine: 'builtin' }]],
  ])('is refused as %s', async (_what, environment) => {
    expect(await problems(created.transform(bytes({ label: 'alpha', environment })))).toHaveProperty('environment');
  });
});
