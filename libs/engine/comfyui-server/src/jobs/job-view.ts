import { RawJson, type Answerable } from '../http/json-text.js';
import type { EndedPrompt, NodeOutput } from '../prompts/prompt-history.js';
import type { QueuedPrompt } from '../prompts/queued-prompt.js';

export const JOB_STATUSES = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'] as const;
export type PromptStatus = (typeof JOB_STATUSES)[number];

/** A prompt in the jobs routes of the newer engine. */
export interface PromptView {
  readonly id: string;
  readonly status: PromptStatus;
  readonly createTime: number;
  /** The engine's own prompt counter: orders prompts of the same millisecond. */
  readonly number: number;
  /** Milliseconds of execution; 0 before the end. */
  readonly duration: number;
  readonly workflowId: string | null;
  /** Fields in lists. */
  readonly summary: Readonly<Record<string, Answerable | undefined>>;
  /** Additional fields of a single job. */
  readonly details: Readonly<Record<string, Answerable | undefined>>;
}

/** Media that lists can show. */
const PREVIEWABLE = new Set(['images', 'video', 'audio', '3d', 'gifs']);

export function waitingJob(prompt: QueuedPrompt, status: 'pending' | 'in_progress'): PromptView {
  const summary = { ...head(prompt, status), ...counts({}), workflow_id: workflowIdOf(prompt) ?? undefined };
  return { ...identity(prompt), status, duration: 0, summary, details: {} };
}

export function endedJob({ prompt, record }: EndedPrompt): PromptView {
  const status = statusOf(record);
  const start = timestampOf(record.messages, ['execution_start']);
  const end = timestampOf(record.messages, ['execution_success', 'execution_error', 'execution_interrupted']);
  const error = record.messages.find(([type]) => type === 'execution_error')?.[1];
  const summary = {
    ...head(prompt, status),
    execution_start_time: start ?? undefined,
    execution_end_time: end ?? undefined,
    execution_error: error === undefined ? undefined : rawJson(error),
    ...counts(record.outputs),
    workflow_id: workflowIdOf(prompt) ?? undefined,
  };
  const { statusStr, completed, messages } = record;
  const details = {
    outputs: rawJson(record.outputs),
    execution_status: rawJson({ status_str: statusStr, completed, messages }),
    workflow: { prompt: new RawJson(prompt.graphText), extra_data: rawJson(prompt.extraData) },
  };
  return { ...identity(prompt), status, duration: (end ?? 0) - (start ?? 0), summary, details };
}

function identity(prompt: QueuedPrompt): Pick<PromptView, 'id' | 'createTime' | 'number' | 'workflowId'> {
  const { id, createTime, number } = prompt;
  return { id, createTime, number, workflowId: workflowIdOf(prompt) };
}

function head(prompt: QueuedPrompt, status: PromptStatus): Record<string, Answerable> {
  return { id: prompt.id, status, priority: prompt.number, create_time: prompt.createTime };
}

function statusOf({ statusStr, messages }: EndedPrompt['record']): PromptStatus {
  if (statusStr === 'success') return 'completed';
  return messages.some(([type]) => type === 'execution_interrupted') ? 'cancelled' : 'failed';
}

function timestampOf(messages: EndedPrompt['record']['messages'], types: readonly string[]): number | null {
  const timestamp = messages.find(([type]) => types.includes(type))?.[1]['timestamp'];
  return typeof timestamp === 'number' ? timestamp : null;
}

/** Number of items, number that can be shown, and the item to show: a stored one before a temporary one. */
function counts(outputs: Readonly<Record<string, NodeOutput>>): Record<string, Answerable | undefined> {
  let all = 0;
  let previewable = 0;
  let preview: { item: Readonly<Record<string, unknown>>; kept: boolean } | null = null;
  for (const [nodeId, output] of Object.entries(outputs)) {
    for (const [mediaType, items] of Object.entries(output)) {
      if (mediaType === 'animated') continue;
      for (const item of items) {
        all += 1;
        if (typeof item !== 'object' || item === null || !PREVIEWABLE.has(mediaType)) continue;
        previewable += 1;
        const kept = 'type' in item && item.type === 'output';
        if (preview === null || (kept && !preview.kept)) preview = { item: { ...item, nodeId, mediaType }, kept };
      }
    }
  }
  return {
    outputs_count: all,
    previewable_outputs_count: previewable,
    preview_output: preview === null ? undefined : rawJson(preview.item),
  };
}

/** The id that the web UI gave the workflow. */
function workflowIdOf({ extraData }: QueuedPrompt): string | null {
  const info = memberOf(extraData['extra_pnginfo'], 'workflow');
  const id = memberOf(info, 'id');
  return typeof id === 'string' ? id : null;
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function rawJson(value: unknown): RawJson {
  return new RawJson(JSON.stringify(value));
}
