import { expect, it } from 'vitest';
import { anEntry, describeDeploymentDirectory } from './deployment-directory.suite.js';
import { MemoryDirectory } from './memory-directory.js';

describeDeploymentDirectory('the directory in memory', async () => {
  const directory = new MemoryDirectory();
  return await Promise.resolve({
    directory,
    hear: async (...entries) => await Promise.resolve(directory.apply({ entries })),
    end: () => Promise.resolve(),
  });
});

it('the directory in memory reports each change once, and no entry that it knows', () => {
  const directory = new MemoryDirectory();
  let changes = 0;
  directory.onChanged(() => (changes += 1));
  expect(directory.isEmpty).toBe(true);
  directory.apply({ entries: [anEntry('d1'), anEntry('d2', { label: 'beta' })] });
  directory.apply({ entries: [anEntry('d1')] });
  directory.apply({ entries: [] });
  expect([changes, directory.isEmpty]).toEqual([1, false]);
});
