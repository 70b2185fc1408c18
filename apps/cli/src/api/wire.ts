// The parts of API answers that clients may rely on: unknown fields are kept, missing ones become null, and malformed
// values are rejected (api-v2, Versioning 4).

import { isEndedStatus } from '@heddle/contracts-messages';
import type { JobStatus } from '@heddle/contracts-messages';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonRecord = Readonly<Record<string, Json>>;

export interface WireProgress {
  readonly value: number;
  readonly nodesDone: number;
  readonly nodesTotal: number;
  readonly currentNode: string | null;
  readonly currentNodeClass: string | null;
  readonly step: number | null;
  readonly steps: number | null;
  readonly message: string | null;
}

export interface WireOutput {
  readonly nodeId: string;
  readonly name: string;
  readonly type: string;
  readonly contentType: string;
  readonly sizeBytes: number | null;
  readonly id: string;
  readonly hash: string | null;
  readonly url: string | null;
}

export interface WireJob {
  readonly id: string;
  readonly status: string;
  readonly createdAt: string | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly queuePosition: number | null;
  readonly progress: WireProgress | null;
  readonly outputs: readonly WireOutput[];
  readonly error: WireJobError | null;
  readonly queueMs: number | null;
  readonly executionMs: number | null;
  readonly metadata: JsonRecord;
  readonly urls: {
    readonly self: string | null;
    readonly events: string | null;
    readonly logs: string | null;
  };
  /** The original body, for --json. */
  readonly body: JsonRecord;
}

interface WireJobError {
  readonly code: string;
  readonly message: string;
  readonly nodeId: string | null;
  readonly classType: string | null;
}

export interface WireAsset {
  readonly id: string;
  readonly hash: string | null;
  readonly sizeBytes: number | null;
  readonly contentType: string;
  readonly filePath: string | null;
  readonly createdAt: string | null;
  readonly expiresAt: string | null;
  readonly url: string | null;
  readonly createdNew: boolean | null;
  readonly body: JsonRecord;
}

const MAX_OUTPUTS = 10_000;

/** False for a status that this version does not know. */
export function hasEnded(status: string): boolean {
  return isEndedStatus(status as JobStatus);
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readJob(body: unknown): WireJob | null {
  if (!isRecord(body) || typeof body['id'] !== 'string' || typeof body['status'] !== 'string') return null;
  const urls = record(body['urls']);
  const metrics = record(body['metrics']);
  const outputs = Array.isArray(body['outputs']) ? body['outputs'].slice(0, MAX_OUTPUTS) : [];
  return {
    id: body['id'],
    status: body['status'],
    createdAt: text(body['created_at']),
    startedAt: text(body['started_at']),
    completedAt: text(body['completed_at']),
    queuePosition: number(body['queue_position']),
    progress: readProgress(body['progress']),
    outputs: outputs.map(readOutput).filter((output) => output !== null),
    error: readJobError(body['error']),
    queueMs: number(metrics['queue_ms']),
    executionMs: number(metrics['execution_ms']),
    metadata: record(body['metadata']),
    urls: {
      self: text(urls['self']),
      events: text(urls['events']),
      logs: text(urls['logs']),
    },
    body,
  };
}

export function readProgress(body: unknown): WireProgress | null {
  if (!isRecord(body)) return null;
  return {
    value: Math.min(1, Math.max(0, number(body['value']) ?? 0)),
    nodesDone: number(body['nodes_done']) ?? 0,
    nodesTotal: number(body['nodes_total']) ?? 0,
    currentNode: text(body['current_node']),
    currentNodeClass: text(body['current_node_class']),
    step: number(body['step']),
    steps: number(body['steps']),
    message: text(body['message']),
  };
}

export function readOutput(body: unknown): WireOutput | null {
  if (!isRecord(body) || typeof body['id'] !== 'string') return null;
  return {
    nodeId: text(body['node_id']) ?? '',
    name: text(body['name']) ?? body['id'],
    type: text(body['type']) ?? 'file',
    contentType: text(body['content_type']) ?? 'application/octet-stream',
    sizeBytes: number(body['size_bytes']),
    id: body['id'],
    hash: text(body['hash']),
    url: text(body['url']),
  };
}

export function readAsset(body: unknown): WireAsset | null {
  if (!isRecord(body) || typeof body['id'] !== 'string') return null;
  return {
    id: body['id'],
    hash: text(body['hash']),
    sizeBytes: number(body['size_bytes']),
    contentType: text(body['content_type']) ?? 'application/octet-stream',
    filePath: text(body['file_path']),
    createdAt: text(body['created_at']),
    expiresAt: text(body['expires_at']),
    url: text(body['url']),
    createdNew: typeof body['created_new'] === 'boolean' ? body['created_new'] : null,
    body,
  };
}

function readJobError(body: unknown): WireJobError | null {
  if (!isRecord(body)) return null;
  return {
    code: text(body['code']) ?? 'unknown',
    message: text(body['message']) ?? '',
    nodeId: text(body['node_id']),
    classType: text(body['class_type']),
  };
}

function record(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
