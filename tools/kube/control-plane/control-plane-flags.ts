// Command lines of the control plane. Every port is bound to loopback.

export interface ControlPlanePorts {
  readonly etcd: number;
  readonly etcdPeers: number;
  readonly apiServer: number;
  readonly controllerManager: number;
  readonly scheduler: number;
}

export interface ControlPlanePlan {
  readonly ports: ControlPlanePorts;
  readonly etcdData: string;
  readonly authority: { readonly certificate: string; readonly key: string };
  readonly server: { readonly certificate: string; readonly key: string };
  readonly admin: { readonly certificate: string; readonly key: string };
  /** By which servers behind the API server know that a request comes from it */
  readonly frontProxy: { readonly certificate: string; readonly key: string };
  readonly serviceAccounts: { readonly certificate: string; readonly key: string };
  readonly kubeconfigs: { readonly controllerManager: string; readonly scheduler: string };
}

const SERVICE_CIDR = '10.198.0.0/16';
/** The first address of the range is that of the API server. */
export const API_SERVICE_ADDRESS = '10.198.0.1';
/** Addresses of pods; each node gets a block. */
export const POD_CIDR = '10.199.0.0/16';

/** Name in the certificate of the API server as a front proxy */
export const FRONT_PROXY = 'heddle-front-proxy';
const LOOPBACK = '127.0.0.1';

export function etcdFlags({ ports, etcdData }: ControlPlanePlan): string[] {
  const [clients, peers] = [`http://${LOOPBACK}:${ports.etcd}`, `http://${LOOPBACK}:${ports.etcdPeers}`];
  return [
    `--data-dir=${etcdData}`,
    `--listen-client-urls=${clients}`,
    `--advertise-client-urls=${clients}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=default=${peers}`,
    // A development cluster may lose its last second in a power failure.
    '--unsafe-no-fsync',
  ];
}

export function apiServerFlags({ ports, ...files }: ControlPlanePlan): string[] {
  return [
    `--etcd-servers=http://${LOOPBACK}:${ports.etcd}`,
    `--bind-address=${LOOPBACK}`,
    `--secure-port=${ports.apiServer}`,
    `--tls-cert-file=${files.server.certificate}`,
    `--tls-private-key-file=${files.server.key}`,
    `--client-ca-file=${files.authority.certificate}`,
    `--kubelet-client-certificate=${files.admin.certificate}`,
    `--kubelet-client-key=${files.admin.key}`,
    // The name of a node is not a host name.
    '--kubelet-preferred-address-types=InternalIP',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${files.serviceAccounts.certificate}`,
    `--service-account-signing-key-file=${files.serviceAccounts.key}`,
    `--service-cluster-ip-range=${SERVICE_CIDR}`,
    '--authorization-mode=Node,RBAC',
    '--allow-privileged=true',
    // A loopback address cannot be advertised: no pod could call it.
    '--endpoint-reconciler-type=none',
    // Metrics for autoscalers come from a server behind the API server.
    `--requestheader-client-ca-file=${files.authority.certificate}`,
    `--requestheader-allowed-names=${FRONT_PROXY}`,
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-username-headers=X-Remote-User',
    `--proxy-client-cert-file=${files.frontProxy.certificate}`,
    `--proxy-client-key-file=${files.frontProxy.key}`,
  ];
}

export function controllerManagerFlags({ ports, authority, serviceAccounts, kubeconfigs }: ControlPlanePlan): string[] {
  return [
    ...clientFlags(kubeconfigs.controllerManager),
    `--bind-address=${LOOPBACK}`,
    `--secure-port=${ports.controllerManager}`,
    '--use-service-account-credentials',
    `--service-account-private-key-file=${serviceAccounts.key}`,
    `--root-ca-file=${authority.certificate}`,
    `--cluster-signing-cert-file=${authority.certificate}`,
    `--cluster-signing-key-file=${authority.key}`,
    `--cluster-cidr=${POD_CIDR}`,
    '--allocate-node-cidrs=true',
  ];
}

export function schedulerFlags({ ports, kubeconfigs }: ControlPlanePlan): string[] {
  return [...clientFlags(kubeconfigs.scheduler), `--bind-address=${LOOPBACK}`, `--secure-port=${ports.scheduler}`];
}

const clientFlags = (kubeconfig: string): string[] => [
  `--kubeconfig=${kubeconfig}`,
  `--authentication-kubeconfig=${kubeconfig}`,
  `--authorization-kubeconfig=${kubeconfig}`,
  // There is one of each.
  '--leader-elect=false',
];
