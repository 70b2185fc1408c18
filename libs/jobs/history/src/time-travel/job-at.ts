import { projectJob } from '@heddle/jobs-domain';
import type { JobState } from '@heddle/jobs-domain';

/** The owner of a job, which its envelope names. */
interface JobOwner {
  readonly jobId: string;
  readonly deploymentId: string;
}

export type JobAt = Readonly<Record<string, unknown>> & { readonly status: string };

/**
 * The fields of the API's job without links, and its version and fence; null before the submission and after the
 * purge. The log alone knows no place in the queue.
 */
export function jobAt({ jobId, deploymentId }: JobOwner, state: JobState): JobAt | null {
  const job = projectJob(state);
  if (job === null) return null;
  const { progress, error } = job;
  return {
    id: jobId,
    status: job.status,
    created_at: job.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
    expires_at: job.expiresAt,
    queue_position: null,
    progress: progress && {
      value: progress.value,
      nodes_done: progress.nodesDone,
      nodes_total: progress.nodesTotal,
      current_node: progress.currentNode,
      current_node_class: progress.currentNodeClass,
      step: progress.step,
      steps: progress.steps,
      message: progress.message,
    },
    outputs: job.outputs.map((output) => ({
      node_id: output.nodeId,
      name: output.name,
      type: output.type,
      content_type: output.contentType,
      size_bytes: output.sizeBytes,
      id: output.assetId,
      hash: output.hash,
      job_id: jobId,
    })),
    error: error && {
      code: error.code,
      message: error.message,
      node_id: error.nodeId,
      class_type: error.classType,
      traceback: error.traceback,
    },
    metrics: { queue_ms: job.queueMs, execution_ms: job.executionMs },
    metadata: job.metadata,
    deployment_id: deploymentId,
    version: job.version,
    fence: job.fence,
  };
}
