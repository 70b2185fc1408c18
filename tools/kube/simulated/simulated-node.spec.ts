import { describe, expect, it } from 'vitest';
import { SIMULATED_NODES, simulatedNodeManifest } from './simulated-node.ts';

describe('the simulated nodes', () => {
  it('are in two zones, so that a spread over zones can be seen', () => {
    expect(new Set(SIMULATED_NODES.map(({ zone }) => zone)).size).toBe(2);
  });

  it('offer devices on one node, which takes only pods that ask for them', () => {
    const withDevices = SIMULATED_NODES.filter(({ gpus = 0 }) => gpus > 0);
    expect(withDevices).toHaveLength(1);
    expect(simulatedNodeManifest(withDevices[0]!)).toMatchObject({
      metadata: { labels: { 'nvidia.com/gpu.present': 'true' } },
      spec: { taints: [{ key: 'nvidia.com/gpu', effect: 'NoSchedule' }] },
      status: { allocatable: { 'nvidia.com/gpu': '4' } },
    });
  });

  it('take every pod elsewhere', () => {
    const manifest = simulatedNodeManifest({ name: 'a', zone: 'a' });
    expect(manifest).not.toHaveProperty('spec');
    expect(manifest).not.toHaveProperty(['status', 'allocatable', 'nvidia.com/gpu']);
  });
});
