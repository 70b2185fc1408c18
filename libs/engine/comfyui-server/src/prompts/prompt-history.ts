import { jsonText, RawJson } from '../http/json-text.js';
import { promptTuple, type QueuedPrompt } from './queued-prompt.js';

/** The engine's own limit on ended prompts, and a limit on their bytes. */
const MAX_ENTRIES = 10_000;
const MAX_BYTES = 256 * 1024 * 1024;

/** What a node displayed, by kind: `images`, `text`, ... */
export type NodeOutput = Readonly<Record<string, readonly unknown[]>>;

/** The course of a prompt as `/history` shows it. */
export interface PromptRecord {
  readonly statusStr: 'success' | 'error';
  readonly completed: boolean;
  readonly messages: readonly (readonly [string, Readonly<Record<string, unknown>>])[];
  readonly outputs: Readonly<Record<string, NodeOutput>>;
}

export interface EndedPrompt {
  readonly prompt: QueuedPrompt;
  readonly record: PromptRecord;
}

/** Ended prompts, oldest first; only in memory, like the engine's. */
export class PromptHistory {
  private readonly entries = new Map<string, EndedPrompt>();
  private bytes = 0;

  add(prompt: QueuedPrompt, record: PromptRecord): void {
    this.remove(prompt.id);
    this.entries.set(prompt.id, { prompt, record });
    this.bytes += sizeOf(prompt);
    while (this.entries.size > MAX_ENTRIES || (this.bytes > MAX_BYTES && this.entries.size > 1)) {
      const [oldest] = this.entries.keys();
      this.remove(oldest!);
    }
  }

  find(id: string): EndedPrompt | null {
    return this.entries.get(id) ?? null;
  }

  all(): EndedPrompt[] {
    return [...this.entries.values()];
  }

  remove(id: string): void {
    const entry = this.entries.get(id);
    if (entry === undefined) return;
    this.bytes -= sizeOf(entry.prompt);
    this.entries.delete(id);
  }

  clear(): void {
    this.entries.clear();
    this.bytes = 0;
  }
}

/** The requested page of the history: the newest entries unless an offset is given. */
export function pageOf(all: readonly EndedPrompt[], maxItems: number | null, offset: number): readonly EndedPrompt[] {
  if (maxItems === null) return offset < 0 ? all : all.slice(offset);
  const start = offset < 0 ? Math.max(0, all.length - maxItems) : offset;
  return all.slice(start, start + maxItems);
}

/** History entries by id, as `/history` answers. */
export function historyText(entries: readonly EndedPrompt[]): string {
  return `{${entries.map(({ prompt, record }) => `${JSON.stringify(prompt.id)}: ${entryText(prompt, record)}`).join(', ')}}`;
}

function entryText(prompt: QueuedPrompt, { statusStr, completed, messages, outputs }: PromptRecord): string {
  const meta = Object.fromEntries(
    Object.keys(outputs).map((id) => [id, { node_id: id, display_node: id, parent_node: null, real_node_id: id }]),
  );
  const status = new RawJson(JSON.stringify({ status_str: statusStr, completed, messages }));
  return jsonText({ prompt: promptTuple(prompt), outputs: new RawJson(JSON.stringify(outputs)), status, meta });
}

function sizeOf(prompt: QueuedPrompt): number {
  return prompt.graphText.length + 1024;
}
