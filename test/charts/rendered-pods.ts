// The pods of rendered objects, and what their containers read.
import { at, type KubeObject } from './charts.ts';

interface Container {
  readonly name: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly resources: { readonly requests?: Record<string, unknown>; readonly limits?: Record<string, unknown> };
  readonly securityContext: unknown;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly readinessProbe?: { readonly timeoutSeconds: number };
  readonly restartPolicy?: string;
}

interface Source {
  readonly secret: {
    readonly name: string;
    readonly items: readonly { readonly key: string; readonly path: string }[];
  };
}

export interface Pod {
  readonly owner: string;
  readonly component: string;
  readonly spec: {
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly terminationGracePeriodSeconds?: number;
    readonly volumes: readonly {
      readonly name: string;
      readonly projected?: { readonly sources: readonly Source[] };
    }[];
    readonly [key: string]: unknown;
  };
}

export function podsOf(objects: readonly KubeObject[]): Pod[] {
  return objects.flatMap(({ kind, name, body }) => {
    const spec = kind === 'Pod' ? at(body, 'spec') : at(body, 'spec.template.spec');
    if (!['Pod', 'Deployment', 'Job'].includes(kind)) return [];
    const labels = at(body, 'metadata.labels') as Record<string, string>;
    return [{ owner: name, component: labels['app.kubernetes.io/component'] ?? '', spec: spec as Pod['spec'] }];
  });
}

export const containersOf = (spec: Pod['spec']): Container[] => [...(spec.initContainers ?? []), ...spec.containers];

export function mainOf(spec: Pod['spec'], component: string): Container {
  const main = spec.containers.find(({ name }) => name === component);
  if (main === undefined) throw new Error(`the pod of ${component} has no container of that name`);
  return main;
}

export const envOf = (spec: Pod['spec'], component: string): NonNullable<Container['env']> =>
  mainOf(spec, component).env ?? [];

export const valueOf = (spec: Pod['spec'], component: string, name: string): string | undefined =>
  envOf(spec, component).find((one) => one.name === name)?.value;

export const keysOf = (pods: readonly Pod[], component: string): string[] =>
  pods
    .filter((pod) => pod.component === component)
    .flatMap(({ spec }) => sourcesOf(spec))
    .flatMap(({ secret }) => secret.items.map(({ key }) => `${secret.name}/${key}`))
    .sort();

export const sourcesOf = (spec: Pod['spec']): readonly Source[] =>
  spec.volumes.find(({ name }) => name === 'secrets')?.projected?.sources ?? [];
