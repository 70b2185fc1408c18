import type { ClusterObject } from '../../tools/kube/control-plane/kubectl.ts';

interface ContainerStatus {
  readonly restartCount: number;
  readonly state: { readonly running?: { readonly startedAt: string } };
}
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime: string;
}

const statusesOf = ({ status }: ClusterObject): readonly ContainerStatus[] =>
  (status?.['containerStatuses'] ?? []) as readonly ContainerStatus[];
export const restartsOf = (pod: ClusterObject): number =>
  statusesOf(pod).reduce((sum, { restartCount }) => sum + restartCount, 0);
const readyOf = ({ status }: ClusterObject): Condition | undefined =>
  ((status?.['conditions'] ?? []) as readonly Condition[]).find(({ type }) => type === 'Ready');
export const isReady = (pod: ClusterObject): boolean => readyOf(pod)?.status === 'True';

/** Seconds from the start of its container until the pod was ready; whole ones, because Kubernetes notes no more. */
export function readyAfterS(pod: ClusterObject): number {
  const startedAt = statusesOf(pod)[0]?.state.running?.startedAt ?? '';
  return (Date.parse(readyOf(pod)?.lastTransitionTime ?? '') - Date.parse(startedAt)) / 1_000;
}
