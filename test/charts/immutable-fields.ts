import { isDeepStrictEqual } from 'node:util';
import { at, type KubeObject } from './charts.ts';

/** What the API server refuses to change, by kind. */
const IMMUTABLE: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['spec.selector'],
  DaemonSet: ['spec.selector'],
  StatefulSet: ['spec.selector', 'spec.serviceName', 'spec.podManagementPolicy', 'spec.volumeClaimTemplates'],
  Job: ['spec.template', 'spec.selector', 'spec.completions', 'spec.completionMode'],
  Service: ['spec.clusterIP'],
  PersistentVolumeClaim: ['spec.accessModes', 'spec.storageClassName', 'spec.volumeName'],
  RoleBinding: ['roleRef'],
};
/** Others call these by name, and their pods are found by it. */
const KEPT_KINDS = ['Deployment', 'Service'];

/** Each field that an upgrade could not change, and each object that callers would miss. */
export function refusedChanges(before: readonly KubeObject[], after: readonly KubeObject[]): string[] {
  return before.filter(isNotHook).flatMap((old) => {
    const now = after.find(({ kind, name }) => kind === old.kind && name === old.name);
    if (now === undefined) return KEPT_KINDS.includes(old.kind) ? [`${old.kind} ${old.name} is gone`] : [];
    return (IMMUTABLE[old.kind] ?? [])
      .filter((path) => !isDeepStrictEqual(at(old.body, path), at(now.body, path)))
      .map((path) => `${old.kind} ${old.name}: ${path}`);
  });
}

/** Hooks are deleted and made again. */
function isNotHook({ body }: KubeObject): boolean {
  const annotations = at(body, 'metadata.annotations') as Readonly<Record<string, string>> | undefined;
  return annotations?.['helm.sh/hook'] === undefined;
}
