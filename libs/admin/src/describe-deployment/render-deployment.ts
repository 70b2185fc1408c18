import type { DescribedDeployment } from './describe-deployments.js';

/** A deployment as the commands print it; every key is always there (accounts, Command). */
export function deploymentWire({ deployment, account, price }: DescribedDeployment): object {
  const { environment, limits } = deployment;
  return {
    deployment_id: deployment.deploymentId,
    label: deployment.label,
    stage: deployment.stage,
    host: deployment.host,
    account,
    status: deployment.status,
    reason: deployment.reason,
    status_since: deployment.statusSince,
    provider: deployment.provider,
    slots: deployment.slots,
    workers: deployment.workers,
    waiting: deployment.waiting,
    running: deployment.running,
    public_demo: deployment.publicDemo,
    revision: deployment.revision,
    next_revision: deployment.nextRevision,
    retiring_revisions: deployment.retiringRevisions,
    environment: {
      revision: environment.revision,
      image: environment.image,
      engine: environment.engine,
      engine_version: environment.engineVersion,
      packages: environment.packages,
      catalogue_hash: environment.catalogueHash,
    },
    cold_start_s: deployment.coldStartS,
    limits: {
      max_runtime_s: limits.maxRuntimeS,
      job_retention_s: limits.jobRetentionS,
      queue_depth: limits.queueDepth,
    },
    price: { per_job: price.perJob, per_second: price.perSecond },
    created_at: deployment.createdAt,
  };
}

/** `note` is there if there is something to say. */
export function renderDeployment(described: DescribedDeployment): string {
  return JSON.stringify({ ...deploymentWire(described), note: described.note });
}
