// What a pod on a simulated node goes through: it runs at once, ends if a Job or `helm test` owns it, and is gone as soon as
// it is deleted. Pure: the loop in start-simulated-nodes.ts does what it says.

interface SimulatedContainer {
  readonly name: string;
  readonly image: string;
  readonly restartPolicy?: string;
}

export interface SimulatedPod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string }[];
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly SimulatedContainer[];
    readonly initContainers?: readonly SimulatedContainer[];
  };
  readonly status: { readonly phase: string };
}

/** With this label a pod that runs to its end fails, with the label's exit code. */
export const EXIT_LABEL = 'heddle.dev/simulated-exit';

export type PodStep =
  | { readonly kind: 'none' }
  | { readonly kind: 'remove' }
  /** The status as a strategic merge patch. */
  | { readonly kind: 'report'; readonly status: object };

/** `newAddress`: the address of a pod that starts. */
export function nextPodStep(pod: SimulatedPod, now: string, newAddress: () => string): PodStep {
  if (pod.spec.nodeName === undefined) return { kind: 'none' };
  if (pod.metadata.deletionTimestamp !== undefined) return { kind: 'remove' };
  if (pod.status.phase === 'Pending') return { kind: 'report', status: running(pod, now, newAddress()) };
  if (pod.status.phase === 'Running' && runsToItsEnd(pod)) return { kind: 'report', status: ended(pod, now) };
  return { kind: 'none' };
}

const runsToItsEnd = ({ metadata }: SimulatedPod): boolean =>
  metadata.annotations?.['helm.sh/hook'] === 'test' ||
  (metadata.ownerReferences ?? []).some(({ kind }) => kind === 'Job');

function running({ spec }: SimulatedPod, now: string, podIP: string): object {
  const condition = (type: string): object => ({ type, status: 'True', lastTransitionTime: now });
  return {
    phase: 'Running',
    startTime: now,
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: ['Initialized', 'ContainersReady', 'Ready'].map(condition),
    containerStatuses: spec.containers.map((one) => containerStatus(one, { running: { startedAt: now } })),
    initContainerStatuses: (spec.initContainers ?? []).map((one) =>
      // A sidecar goes on.
      containerStatus(one, one.restartPolicy === 'Always' ? { running: { startedAt: now } } : completed(now)),
    ),
  };
}

function ended({ metadata, spec }: SimulatedPod, now: string): object {
  const exitCode = Number(metadata.labels?.[EXIT_LABEL] ?? 0);
  const containerStatuses = spec.containers.map((one) => containerStatus(one, completed(now, exitCode)));
  const conditions = ['ContainersReady', 'Ready'].map((type) => ({ type, status: 'False', reason: 'PodCompleted' }));
  return { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses, conditions };
}

const completed = (now: string, exitCode = 0): object => ({
  terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt: now, finishedAt: now },
});

function containerStatus({ name, image }: SimulatedContainer, state: object): object {
  const isRunning = 'running' in state;
  return { name, image, imageID: '', ready: isRunning, started: isRunning, restartCount: 0, state };
}
