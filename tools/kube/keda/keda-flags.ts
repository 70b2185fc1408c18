// Command lines of KEDA as processes beside the API server. Every port is bound to loopback, save that of the adapter's own
// metrics, which has no setting for it.

export interface KedaPlan {
  readonly kubeconfig: string;
  /** Holds ca.crt, tls.crt and tls.key, by which the two processes know each other. */
  readonly certificates: string;
  readonly ports: {
    /** Of the operator, for the adapter */
    readonly metricValues: number;
    readonly probes: number;
    /** Of the adapter, for the API server */
    readonly adapter: number;
    readonly adapterMetrics: number;
  };
}

const LOOPBACK = '127.0.0.1';

const NAMESPACE = 'keda';
/** Of both processes, which are in no pod; empty: every namespace is watched. */
export const KEDA_ENVIRONMENT = {
  WATCH_NAMESPACE: '',
  POD_NAMESPACE: NAMESPACE,
  KEDA_CLUSTER_OBJECT_NAMESPACE: NAMESPACE,
} as const;

export function operatorFlags({ kubeconfig, certificates, ports }: KedaPlan): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--cert-dir=${certificates}`,
    `--metrics-service-bind-address=${LOOPBACK}:${ports.metricValues}`,
    `--health-probe-bind-address=${LOOPBACK}:${ports.probes}`,
    '--enable-prometheus-metrics=false',
  ];
}

export function adapterFlags({ kubeconfig, certificates, ports }: KedaPlan): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--lister-kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    `--bind-address=${LOOPBACK}`,
    `--secure-port=${ports.adapter}`,
    `--port=${ports.adapterMetrics}`,
    `--metrics-service-address=${LOOPBACK}:${ports.metricValues}`,
    `--client-ca-file=${certificates}/ca.crt`,
    `--tls-cert-file=${certificates}/tls.crt`,
    `--tls-private-key-file=${certificates}/tls.key`,
    `--cert-dir=${certificates}`,
  ];
}

/** The namespace, and how the API server finds the adapter: the address of a Service may not be of loopback, a name may. */
export function adapterObjects({ ports }: Pick<KedaPlan, 'ports'>): object[] {
  const [name, namespace] = ['keda-metrics-apiserver', NAMESPACE];
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1beta1.external.metrics.k8s.io' },
      spec: {
        service: { name, namespace, port: ports.adapter },
        group: 'external.metrics.k8s.io',
        version: 'v1beta1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        // Its certificate names addresses, not the Service.
        insecureSkipTLSVerify: true,
      },
    },
  ];
}
