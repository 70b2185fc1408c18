// What the enforcer reads of the cluster's objects.

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

export interface PolicyPeer {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

export interface PolicyPort {
  readonly protocol?: string;
  /** A number, or the name of a container's port */
  readonly port?: number | string;
  readonly endPort?: number;
}

export interface PolicyRule {
  readonly from?: readonly PolicyPeer[];
  readonly to?: readonly PolicyPeer[];
  readonly ports?: readonly PolicyPort[];
}

export interface NetworkPolicy {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly podSelector: LabelSelector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly PolicyRule[] | null;
    readonly egress?: readonly PolicyRule[] | null;
  };
}

export interface ContainerPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly protocol?: string;
}

interface Container {
  readonly ports?: readonly ContainerPort[];
}

export interface NetworkPod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly hostNetwork?: boolean;
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
  };
  readonly status: { readonly phase?: string; readonly podIPs?: readonly { readonly ip: string }[] };
}

export interface NetworkNamespace {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}

/** All that decides who may connect to whom. */
export interface NetworkObjects {
  readonly policies: readonly NetworkPolicy[];
  readonly pods: readonly NetworkPod[];
  readonly namespaces: readonly NetworkNamespace[];
}
