import { JOB_URL_PATHS } from '@heddle/contracts-api-v2';
import type { JobListItemWire, JobListWire, JobWire, OutputWire, ProgressWire } from '@heddle/contracts-api-v2';
import { surfaceOf, SURFACES } from '@heddle/contracts-messages';
import type { JobOutput, JobPage, JobProgress, JobSummary, JobView } from '@heddle/contracts-messages';
import { contentUrl, jobUrl } from './links.js';
import type { RenderContext } from './render-context.js';
import { urlExpiresAt } from './url-expiry.js';

export function progressWire(progress: JobProgress): ProgressWire {
  return {
    value: progress.value,
    nodes_done: progress.nodesDone,
    nodes_total: progress.nodesTotal,
    current_node: progress.currentNode,
    current_node_class: progress.currentNodeClass,
    step: progress.step,
    steps: progress.steps,
    message: progress.message,
  };
}

/** The job of an output, as far as its links depend on it. */
export type OutputJob = Pick<JobView, 'id' | 'expiresAt'>;

export function outputWire(output: JobOutput, job: OutputJob, context: RenderContext): OutputWire {
  return {
    node_id: output.nodeId,
    name: output.name,
    type: output.type,
    content_type: output.contentType,
    size_bytes: output.sizeBytes,
    id: output.assetId,
    hash: output.hash,
    url: contentUrl(context.base, output.assetId),
    url_expires_at: outputUrlExpiresAt(job, context),
    job_id: job.id,
  };
}

export function outputUrlExpiresAt({ expiresAt }: OutputJob, context: RenderContext): string | null {
  return context.outputsEndWithJob ? expiresAt : urlExpiresAt(context.urlExpiry);
}

function jobWire(job: JobView, context: RenderContext): JobWire {
  const { metrics, urls, metadata, deployment_id, ...head } = common(job, context.base);
  return {
    ...head,
    progress: job.progress === null ? null : progressWire(job.progress),
    outputs: job.outputs.map((output) => outputWire(output, job, context)),
    error:
      job.error === null
        ? null
        : {
            code: job.error.code,
            message: job.error.message,
            node_id: job.error.nodeId,
            class_type: job.error.classType,
            traceback: job.error.traceback,
          },
    metrics,
    urls,
    metadata,
    deployment_id,
  };
}

export function renderJob(job: JobView, context: RenderContext): string {
  return JSON.stringify(jobWire(job, context));
}

export function renderJobPage({ jobs, nextCursor }: JobPage, { base }: RenderContext): string {
  const items = jobs.map((job): JobListItemWire => ({
    ...common(job, base),
    create_time: job.createdAt,
    update_time: job.updatedAt,
  }));
  const page: JobListWire = { jobs: items, next_cursor: nextCursor, truncated: nextCursor !== null };
  return JSON.stringify(page);
}

const WORKFLOW_HEAD = Buffer.from('{"format":"api","workflow":');
const WORKFLOW_TAIL = Buffer.from('}');

/** The bytes are inserted unchanged: parsing and printing would change numbers and key order. */
export function renderWorkflow(workflow: Uint8Array): Buffer {
  return Buffer.concat([WORKFLOW_HEAD, workflow, WORKFLOW_TAIL]);
}

const URL_PATHS = Object.entries(JOB_URL_PATHS);

function urlsBelow(self: string) {
  const urls = Object.fromEntries(URL_PATHS.map(([name, path]) => [name, self + path]));
  return urls as Record<keyof typeof JOB_URL_PATHS, string>;
}

function common(job: JobSummary, base: string) {
  const self = jobUrl(base, job.id);
  return {
    id: job.id,
    status: job.status,
    created_at: job.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
    expires_at: job.expiresAt,
    queue_position: job.queuePosition,
    metrics: { queue_ms: job.queueMs, execution_ms: job.executionMs },
    urls: {
      ...urlsBelow(self),
      ...(SURFACES[surfaceOf(job.deploymentId)].logs === 'captured' ? { logs: `${self}/logs` } : {}),
    },
    metadata: job.metadata,
    deployment_id: job.deploymentId,
  };
}
