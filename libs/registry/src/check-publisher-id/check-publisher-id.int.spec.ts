import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

describe('the id of a publisher', () => {
  let registry: ManagedRegistry;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    await registry.publisher('acme');
  });
  afterAll(() => registry.close());

  const check = async (query: string): Promise<Answered> => await registry.call('GET', `/publishers/validate${query}`);

  it.each([
    ['that nobody has', 'other', true],
    ['that a publisher has', 'acme', false],
    ['that is a reserved word', 'admin', false],
  ])('%s is available: %s, %s', async (_, id, isAvailable) => {
    expect(await check(`?username=${id}`)).toMatchObject({ status: 200, body: { isAvailable } });
  });

  it.each([
    ['', 'is missing.'],
    ['?username=', 'must be 2 to 64 lower-case letters, digits or "-", the first a letter.'],
    ['?username=A', 'must be 2 to 64 lower-case letters, digits or "-", the first a letter.'],
    ['?username=a1&username=b1', 'must be given once.'],
  ])('asked as "%s" %s', async (query, problem) => {
    const message = `The parameter username ${problem}`;
    expect(await check(query)).toMatchObject({ status: 400, body: { error: 'invalid_parameter', message } });
  });
});
