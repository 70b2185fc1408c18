import { describe, expect, it } from 'vitest';
import { specsOf, TEST_PARTS } from './test-parts.ts';

const SPECS = [
  'libs/jobs/src/queue.spec.ts',
  'libs/jobs/src/queue.int.spec.ts',
  'apps/cli/src/heddle.e2e.spec.ts',
  'test/api/links.e2e.spec.ts',
  'test/api/cases.spec.ts',
  'test/scenarios/cluster-trust.e2e.spec.ts',
  'test/proxy/streams.e2e.spec.ts',
];
const partsOf = (path: string): string[] =>
  TEST_PARTS.filter((part) => specsOf(part, SPECS).includes(path)).map(({ name }) => name);

describe('the parts of a test run', () => {
  it('run the end-to-end specs of the API on standalone, on the managed surface and on the cluster', () => {
    expect(partsOf('test/api/links.e2e.spec.ts')).toEqual(['api', 'managed', 'cluster']);
  });

  it.each(SPECS.filter((path) => path !== 'test/api/links.e2e.spec.ts'))('run %s once', (path) => {
    expect(partsOf(path)).toHaveLength(1);
  });
});
