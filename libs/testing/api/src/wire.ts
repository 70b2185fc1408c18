/** The bodies of v2 as clients see them (api-v2, Resources and their fields; decisions, Jobs and Assets). */
export type JobStatus = 'queued' | 'running' | 'succeeded' | 'canceling' | 'canceled' | 'failed' | 'expired';

export interface Asset {
  id: string;
  hash: string | null;
  size_bytes: number;
  content_type: string;
  created_at: string;
  url: string;
  url_expires_at: string | null;
  file_path: string;
  created_new?: boolean;
  expires_at: string | null;
  tags: string[];
  job_id: string | null;
}

export interface Progress {
  value: number;
  nodes_done: number;
  nodes_total: number;
  current_node: string | null;
  current_node_class: string | null;
  step: number | null;
  steps: number | null;
  message: string | null;
}

export interface Output {
  node_id: string;
  name: string;
  type: string;
  content_type: string;
  size_bytes: number;
  id: string;
  hash: string | null;
  url: string;
  url_expires_at: string | null;
  job_id: string | null;
}

export interface JobError {
  code: string;
  message: string;
  node_id: string | null;
  class_type: string | null;
  traceback: string | null;
}

export interface ListedJob {
  id: string;
  status: JobStatus;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  expires_at: string;
  queue_position: number | null;
  metrics: { queue_ms: number | null; execution_ms: number | null };
  urls: { self: string; events: string; cancel: string; workflow: string; logs?: string };
  metadata: Record<string, string>;
  deployment_id: string | null;
  create_time: string;
  update_time: string;
}

export interface Job extends Omit<ListedJob, 'create_time' | 'update_time'> {
  progress: Progress | null;
  outputs: Output[];
  error: JobError | null;
}

export interface JobPage {
  jobs: ListedJob[];
  next_cursor: string | null;
  truncated: boolean;
}

export interface ErrorBody {
  error: { code: string; message: string; details?: Record<string, unknown> };
}

export type NodeErrors = Record<string, { field: string; reason: string }[]>;

const TERMINAL: ReadonlySet<string> = new Set(['succeeded', 'canceled', 'failed', 'expired']);

export function isTerminal(status: string): boolean {
  return TERMINAL.has(status);
}
