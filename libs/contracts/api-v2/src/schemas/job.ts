import { LABEL_LIMITS } from '../request-limits.js';
import type { JsonSchema } from './json-schema.js';
import { closedEnum, dateTime, nullable, object, ref } from './json-schema.js';

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'canceling', 'canceled', 'failed', 'expired'] as const;
export const OUTPUT_TYPES = ['image', 'video', 'audio', 'text', 'file', 'latent'] as const;
export const JOB_ERROR_CODES = [
  'node_execution_error',
  'out_of_memory',
  'worker_lost',
  'timeout',
  'engine_error',
  'credential_expired',
  'credential_lost',
  'output_limit',
] as const;

/** Progress in GET and in the `progress` frame (decisions, Progress). */
export interface ProgressWire {
  readonly value: number;
  readonly nodes_done: number;
  readonly nodes_total: number;
  readonly current_node: string | null;
  readonly current_node_class: string | null;
  readonly step: number | null;
  readonly steps: number | null;
  readonly message: string | null;
}

/** An output in GET and in the `output` frame (decisions, Output entry). */
export interface OutputWire {
  readonly node_id: string;
  readonly name: string;
  readonly type: (typeof OUTPUT_TYPES)[number];
  readonly content_type: string;
  readonly size_bytes: number;
  readonly id: string;
  readonly hash: string | null;
  readonly url: string;
  readonly url_expires_at: string | null;
  readonly job_id: string;
}

interface JobErrorWire {
  readonly code: (typeof JOB_ERROR_CODES)[number];
  readonly message: string;
  readonly node_id: string | null;
  readonly class_type: string | null;
  readonly traceback: string | null;
}

/** What a job's `urls` always name, below the job's own URL. */
export const JOB_URL_PATHS = { self: '', events: '/events', cancel: '/cancel', workflow: '/workflow' } as const;

/** api-v2, Job; decisions, Job fields: every key is always present. */
export interface JobWire {
  readonly id: string;
  readonly status: (typeof JOB_STATUSES)[number];
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly expires_at: string;
  readonly queue_position: number | null;
  readonly progress: ProgressWire | null;
  readonly outputs: readonly OutputWire[];
  readonly error: JobErrorWire | null;
  readonly metrics: { readonly queue_ms: number | null; readonly execution_ms: number | null };
  readonly urls: Readonly<Record<keyof typeof JOB_URL_PATHS, string>> & {
    /** Where the surface captures logs. */
    readonly logs?: string;
  };
  readonly metadata: Readonly<Record<string, string>>;
  readonly deployment_id: string;
}

/** An entry of the list (decisions, List). */
export type JobListItemWire = Omit<JobWire, 'outputs' | 'progress' | 'error'> & {
  readonly create_time: string;
  readonly update_time: string;
};

export interface JobListWire {
  readonly jobs: readonly JobListItemWire[];
  readonly next_cursor: string | null;
  readonly truncated: boolean;
}

const count: JsonSchema = { type: 'integer', minimum: 0 };
const text: JsonSchema = { type: 'string' };
const uri: JsonSchema = { type: 'string', format: 'uri' };

const progress = object({
  value: { type: 'number', minimum: 0, maximum: 1, description: 'never falls within a job; 1 on success' },
  nodes_done: count,
  nodes_total: { ...count, description: 'the nodes that an output depends on, cached ones included' },
  current_node: nullable(text),
  current_node_class: nullable(text),
  step: nullable(count),
  steps: nullable(count),
  message: nullable(text),
});

const output = object({
  node_id: text,
  name: { ...text, description: "the engine's file name without its folder" },
  type: closedEnum(OUTPUT_TYPES),
  content_type: text,
  size_bytes: count,
  id: { ...text, format: 'uuid' },
  hash: nullable(ref('Blake3Hash')),
  url: { ...uri, description: 'the content endpoint; needs the credential' },
  url_expires_at: nullable(dateTime),
  job_id: { ...text, format: 'uuid' },
});

const jobError = object({
  code: closedEnum(JOB_ERROR_CODES),
  message: text,
  node_id: nullable(text),
  class_type: nullable(text),
  traceback: nullable(text),
});

const jobHead = {
  id: { ...text, format: 'uuid' },
  status: ref('JobStatus'),
  created_at: dateTime,
  started_at: nullable(dateTime),
  completed_at: nullable(dateTime),
  expires_at: { ...dateTime, description: 'from then on the job answers 404' },
  queue_position: nullable({ type: 'integer', minimum: 1, description: '1-based; null unless queued' }),
};
const jobTail = {
  metrics: object({ queue_ms: nullable(count), execution_ms: nullable(count) }),
  urls: object(Object.fromEntries(Object.keys(JOB_URL_PATHS).map((name) => [name, uri])), { logs: uri }),
  metadata: { type: 'object', additionalProperties: text } satisfies JsonSchema,
  deployment_id: { ...text, format: 'uuid' },
};

const listItem = object({ ...jobHead, ...jobTail, create_time: dateTime, update_time: dateTime });

export const JOB_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  JobStatus: closedEnum(JOB_STATUSES),
  Progress: progress,
  Output: output,
  JobError: jobError,
  Job: object({
    ...jobHead,
    progress: nullable(ref('Progress')),
    outputs: { type: 'array', items: ref('Output') },
    error: nullable(ref('JobError')),
    ...jobTail,
  }),
  JobListItem: listItem,
  JobList: object({
    jobs: { type: 'array', items: ref('JobListItem') },
    next_cursor: nullable(text),
    truncated: { type: 'boolean', description: 'true exactly when next_cursor is not null' },
  }),
  JobWorkflow: object({
    format: { ...closedEnum(['save', 'api']), description: 'self-hosted always answers api' },
    workflow: { type: 'object', description: 'byte for byte as it was submitted' },
  }),
  JobSubmission: {
    type: 'object',
    required: ['workflow'],
    properties: {
      workflow: { type: 'object', description: 'API-format graph, taken verbatim' },
      extra_data: {
        type: 'object',
        additionalProperties: false,
        properties: { api_key_partner_org: text, auth_token_partner_org: text },
      },
      metadata: {
        type: 'object',
        maxProperties: LABEL_LIMITS.maxLabels,
        additionalProperties: { type: 'string', maxLength: LABEL_LIMITS.maxValueLength },
      },
    },
  },
};
