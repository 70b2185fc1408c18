/** A finding of kube-score that the charts leave as it is. */
export interface ScoreException {
  readonly check: string;
  readonly summary: string;
  /** Kind and name, without the name of the release. */
  readonly objects: RegExp;
  readonly reason: string;
}

export const SCORE_EXCEPTIONS: readonly ScoreException[] = [
  {
    check: 'container-image-pull-policy',
    summary: 'ImagePullPolicy is not set to Always',
    objects: /./,
    reason: 'an image is named by its digest or by a version that never changes',
  },
  {
    check: 'container-resources',
    summary: 'CPU limit is not set',
    objects: /./,
    reason: 'a limit throttles a process that could use idle CPU; requests share the CPU when it is scarce',
  },
  ...['request', 'limit'].map((of) => ({
    check: 'container-ephemeral-storage-request-and-limit',
    summary: `Ephemeral Storage ${of} is not set`,
    objects: /./,
    reason: 'the root is read-only, and each writable emptyDir has a size limit of its own',
  })),
  {
    check: 'deployment-has-host-podantiaffinity',
    summary: 'Deployment does not have a host podAntiAffinity set',
    objects: /^Deployment /,
    reason: 'topology spread constraints over hosts and zones do the same, and do not block the last pod',
  },
  {
    check: 'deployment-replicas',
    summary: 'Deployment few replicas',
    objects: /^Deployment (gateway|jobs|assets|logs|validation)$/,
    reason: 'logs needs one replica; the self-hosted values run one of each service',
  },
  {
    check: 'deployment-has-poddisruptionbudget',
    summary: 'No matching PodDisruptionBudget was found',
    objects: /^Deployment (worker|validation)$/,
    reason: 'a budget would make a drain of nodes wait for one run of a worker after the other; one replica has none',
  },
  {
    check: 'horizontalpodautoscaler-replicas',
    summary: 'HPA few replicas',
    objects: /^HorizontalPodAutoscaler validation$/,
    reason: 'the full values let validation go down to one pod',
  },
];
