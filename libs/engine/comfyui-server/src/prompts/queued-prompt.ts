import { jsonText, RawJson, type Answerable } from '../http/json-text.js';

/** Node id to its class, inputs and other fields from the client. */
export type PromptGraph = Readonly<Record<string, PromptNode>>;

interface PromptNode {
  readonly class_type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Keys of `extra_data` that are passed to the run and never shown. */
const SENSITIVE = ['api_key_comfy_org', 'auth_token_comfy_org'] as const;

/** One accepted prompt, from queueing to its end. */
export interface QueuedPrompt {
  /** Lower numbers run first; ties by id. */
  readonly number: number;
  readonly id: string;
  readonly clientId: string | null;
  /** The graph as sent by the client. */
  readonly graph: PromptGraph;
  readonly graphText: string;
  readonly extraData: Readonly<Record<string, unknown>>;
  readonly sensitive: Readonly<Record<string, unknown>>;
  /** The output nodes that will run. */
  readonly outputs: readonly string[];
  /** Milliseconds since 1970. */
  readonly createTime: number;
}

/** Separates the sensitive members from the extra data. */
export function splitSensitive(extraData: Readonly<Record<string, unknown>>): {
  shown: Record<string, unknown>;
  sensitive: Record<string, unknown>;
} {
  const shown: Record<string, unknown> = { ...extraData };
  const sensitive: Record<string, unknown> = {};
  for (const key of SENSITIVE) {
    if (!(key in shown)) continue;
    sensitive[key] = shown[key];
    delete shown[key];
  }
  return { shown, sensitive };
}

/** The prompt in `/queue` and `/history`: number, id, graph, extra data, output nodes. */
export function promptTuple(prompt: QueuedPrompt): RawJson {
  const { number, id, graphText, extraData, outputs } = prompt;
  const tuple: Answerable = [number, id, new RawJson(graphText), new RawJson(JSON.stringify(extraData)), outputs];
  return new RawJson(jsonText(tuple));
}

/** The queue order. */
export function comesBefore(a: QueuedPrompt, b: QueuedPrompt): boolean {
  return a.number !== b.number ? a.number < b.number : a.id < b.id;
}
