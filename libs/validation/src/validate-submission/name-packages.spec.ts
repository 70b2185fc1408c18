import type { NodePackagesPort } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { NamePackages, withPackages } from './name-packages.js';

const GRAPH = {
  '1': { class_type: 'Blur', inputs: {} },
  '2': { class_type: 'SaveImage', inputs: {} },
  __proto__x: { class_type: 'Blur' },
};
const unknown = { field: 'class_type', reason: 'unknown_node_class' } as const;
const missing = { field: 'images', reason: 'missing_input' } as const;
const ERRORS = { '1': [unknown], '2': [missing] };
const blur = { nodeId: 'pack-a', version: '1.2.0' };

const answering = (packagesOf: NodePackagesPort['packagesOf']): NamePackages => new NamePackages({ packagesOf });

describe('the packages of unknown classes', () => {
  it('are asked for once for all nodes, and stand beside the reason', async () => {
    const asked: unknown[] = [];
    const packages = await answering((classes) => {
      asked.push(classes);
      return Promise.resolve(new Map([['Blur', blur]]));
    }).of(GRAPH, { ...ERRORS, '3': [unknown] });
    expect(asked).toEqual([['Blur']]);
    expect(withPackages(GRAPH, ERRORS, packages)).toEqual({
      '1': [{ ...unknown, package: { node_id: 'pack-a', version: '1.2.0' } }],
      '2': [missing],
    });
  });

  it('are not asked for where every class is known', async () => {
    const packages = await answering(() => Promise.reject(new Error('asked'))).of(GRAPH, { '2': [missing] });
    expect(packages.size).toBe(0);
  });

  it('are left out if the answer takes longer than 100 ms, or fails', async () => {
    const begun = performance.now();
    const late = await answering(() => new Promise(() => undefined)).of(GRAPH, ERRORS);
    expect(late.size).toBe(0);
    expect(performance.now() - begun).toBeLessThan(1_000);
    const failed = await answering(() => Promise.reject(new Error('away'))).of(GRAPH, ERRORS);
    expect(withPackages(GRAPH, ERRORS, failed)).toBe(ERRORS);
  });
});
