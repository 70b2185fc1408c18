import { CLUSTER_DOMAIN, NODE_ADDRESS } from './node-addresses.ts';

/** Configuration of CoreDNS: names of the cluster, and no others. */
export function coreFile(kubeconfig: string, readyPort: number): string {
  return `.:53 {
    bind ${NODE_ADDRESS}
    errors
    ready 127.0.0.1:${readyPort}
    kubernetes ${CLUSTER_DOMAIN} {
        kubeconfig ${kubeconfig}
    }
}
`;
}
