// Definitions of the operators' objects that the charts may render, open to any field: the registries offer no others.
// They let an API server store the objects, and say nothing about their fields.

const KINDS = [
  ['gateway.networking.k8s.io', 'v1', 'HTTPRoute', 'httproutes'],
  ['external-secrets.io', 'v1', 'ExternalSecret', 'externalsecrets'],
  ['monitoring.coreos.com', 'v1', 'ServiceMonitor', 'servicemonitors'],
  ['monitoring.coreos.com', 'v1', 'PodMonitor', 'podmonitors'],
  ['monitoring.coreos.com', 'v1', 'PrometheusRule', 'prometheusrules'],
  ['keda.sh', 'v1alpha1', 'ScaledObject', 'scaledobjects'],
] as const;

export function openDefinitions(): object[] {
  return KINDS.map(([group, name, kind, plural]) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      // Groups below k8s.io are reserved, except for definitions that say where they were approved.
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/gateway-api' },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [
        {
          name,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }));
}
