import { POD_SUBNET } from './node-addresses.ts';

/**
 * The CNI configuration: one pair of devices for each pod, and the machine routes between them. No bridge, whose traffic
 * the kernel filters only with a module, and no masquerade: pods reach only the cluster and this machine.
 */
export function networkConfig(dataFolder: string): string {
  const plugin = {
    type: 'ptp',
    ipMasq: false,
    ipam: { type: 'host-local', subnet: POD_SUBNET, routes: [{ dst: '0.0.0.0/0' }], dataDir: dataFolder },
  };
  return JSON.stringify({ cniVersion: '1.0.0', name: 'heddle', plugins: [plugin] }, null, 2);
}
