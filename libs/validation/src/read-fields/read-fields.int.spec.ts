import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { readFields } from './read-fields.js';

const isValidatorLoaded = (): boolean =>
  Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('class-validator'));

// An integration spec because it needs a worker of its own: in a shared one another spec may load the package.
describe('a submission without fields beside its workflow', () => {
  it('has no labels and no credentials, and does not load class-validator', async () => {
    expect(await readFields({ workflow: {}, client_id: 'x', number: 1 }, 8_192)).toEqual({
      ok: true,
      metadata: {},
      credentials: null,
    });
    expect(isValidatorLoaded()).toBe(false);
    await readFields({ metadata: {} }, 8_192);
    expect(isValidatorLoaded()).toBe(true);
  });
});
