import { jsonText, RawJson, type Answerable } from '../http/json-text.js';

/** Node id to its class, inputs and whatever else the client gave. */
export type PromptGraph = Readonly<Record<string, PromptNode>>;

export interface PromptNode {
  readonly class_type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Keys of `extra_data` that are handed to the run and shown nowhere. */
const SENSITIVE = ['api_key_comfy_org', 'auth_token_comfy_org'] as const;

/** One accepted prompt, from the queue to its end. */
export interface QueuedPrompt {
  /** Lower runs first; equal numbers by id. */
  readonly number: number;
  readonly id: string;
  readonly clientId: string | null;
  /** The graph as the client sent it. */
  readonly graph: PromptGraph;
  readonly graphText: string;
  readonly extraData: Readonly<Record<string, unknown>>;
  readonly sensitive: Readonly<Record<string, unknown>>;
  /** The output nodes that will run. */
  readonly outputs: readonly string[];
  /** Milliseconds since 1970. */
  readonly createTime: number;
}

/** Extra data without what must not be shown, and that. */
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

/** The prompt as `/queue` and `/history` show it: number, id, graph, extra data, output nodes. */
export function promptTuple(prompt: QueuedPrompt): RawJson {
  const { number, id, graphText, extraData, outputs } = prompt;
  const tuple: Answerable = [number, id, new RawJson(graphText), new RawJson(JSON.stringify(extraData)), outputs];
  return new RawJson(jsonText(tuple));
}

/** The order of the queue. */
export function comesBefore(a: QueuedPrompt, b: QueuedPrompt): boolean {
  return a.number !== b.number ? a.number < b.number : a.id < b.id;
}
