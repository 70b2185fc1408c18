import { CLUSTER_DOMAIN, CONTROL_GROUP, NODE_ADDRESS, NODE_NAME } from './node-addresses.ts';
import type { NodePlaces } from './node-places.ts';

export interface KubeletPlan {
  readonly places: NodePlaces;
  readonly port: number;
  readonly healthPort: number;
  /** Certificate of the authority that signs clients. */
  readonly authority: string;
}

export function kubeletConfig({ places, port, healthPort, authority }: KubeletPlan): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: NODE_ADDRESS,
    port,
    healthzBindAddress: '127.0.0.1',
    healthzPort: healthPort,
    readOnlyPort: 0,
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: authority } },
    authorization: { mode: 'Webhook' },
    containerRuntimeEndpoint: `unix://${places.socket}`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${CONTROL_GROUP}`,
    failCgroupV1: false,
    failSwapOn: false,
    clusterDNS: [NODE_ADDRESS],
    clusterDomain: CLUSTER_DOMAIN,
    // The tables of the machine are not the node's.
    makeIPTablesUtilChains: false,
    podLogsDir: `${places.kubelet}/logs`,
    volumePluginDir: `${places.kubelet}/volume-plugins`,
    // The disk of a development machine is often nearly full, and an image that is removed cannot be pulled again.
    imageGCHighThresholdPercent: 100,
    evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  };
}

export interface KubeletFiles {
  readonly config: string;
  readonly kubeconfig: string;
}

export function kubeletFlags({ kubelet }: NodePlaces, { config, kubeconfig }: KubeletFiles): string[] {
  return [
    `--config=${config}`,
    `--kubeconfig=${kubeconfig}`,
    `--hostname-override=${NODE_NAME}`,
    `--node-ip=${NODE_ADDRESS}`,
    `--root-dir=${kubelet}`,
    `--cert-dir=${kubelet}/certificates`,
  ];
}
