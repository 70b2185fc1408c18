import { POD_CIDR } from '../control-plane/control-plane-flags.ts';
import { NODE_NAME } from './node-addresses.ts';

export interface KubeProxyPlan {
  readonly kubeconfig: string;
  readonly healthPort: number;
  readonly metricsPort: number;
}

/** nftables: a table of its own, which `--down` deletes. Limits of connection tracking are the machine's, so they are left. */
export function kubeProxyConfig({ kubeconfig, healthPort, metricsPort }: KubeProxyPlan): object {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'nftables',
    clientConnection: { kubeconfig },
    clusterCIDR: POD_CIDR,
    hostnameOverride: NODE_NAME,
    bindAddress: '127.0.0.1',
    healthzBindAddress: `127.0.0.1:${healthPort}`,
    metricsBindAddress: `127.0.0.1:${metricsPort}`,
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    nftables: { syncPeriod: '30s', minSyncPeriod: '100ms' },
  };
}
