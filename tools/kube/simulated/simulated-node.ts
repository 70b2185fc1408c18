/** A node without a kubelet. */
export interface SimulatedNode {
  readonly name: string;
  readonly zone: string;
  /** Devices of `nvidia.com/gpu`; such a node has the taint that a device plugin's operator sets. */
  readonly gpus?: number;
}

export const SIMULATED_NODES: readonly SimulatedNode[] = [
  { name: 'simulated-a', zone: 'a' },
  { name: 'simulated-b', zone: 'b' },
  { name: 'simulated-gpu', zone: 'b', gpus: 4 },
];

/** Selects the simulated nodes. */
export const SIMULATED_LABEL = { 'heddle.dev/simulated': 'true' } as const;

export function simulatedNodeManifest({ name, zone, gpus = 0 }: SimulatedNode): object {
  const resources = { cpu: '32', memory: '128Gi', pods: '110', ...(gpus > 0 && { 'nvidia.com/gpu': String(gpus) }) };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        ...SIMULATED_LABEL,
        'kubernetes.io/hostname': name,
        'topology.kubernetes.io/zone': zone,
        ...(gpus > 0 && { 'nvidia.com/gpu.present': 'true' }),
      },
    },
    ...(gpus > 0 && { spec: { taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }] } }),
    status: { allocatable: resources, capacity: resources },
  };
}
