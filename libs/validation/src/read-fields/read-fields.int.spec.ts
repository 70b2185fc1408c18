import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Reads two submissions and prints what the first one gave, and whether class-validator was loaded after each. */
const PROGRAM = `
  import { createRequire } from 'node:module';
  import { readFields } from ${JSON.stringify(new URL('../../dist/read-fields/read-fields.js', import.meta.url))};
  const isLoaded = () => Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('class-validator'));
  const read = await readFields({ workflow: {}, client_id: 'x', number: 1 }, 8_192);
  const loaded = [isLoaded()];
  await readFields({ metadata: {} }, 8_192);
  loaded.push(isLoaded());
  console.log(JSON.stringify({ read, loaded }));
`;

// In a process of its own: in a worker of the specs another one may have loaded the package.
it('does not load class-validator for a submission without fields beside its workflow', async () => {
  const args = ['--input-type=module', '--eval', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  expect(JSON.parse(stdout)).toEqual({
    read: { ok: true, metadata: {}, credentials: null },
    loaded: [false, true],
  });
});
