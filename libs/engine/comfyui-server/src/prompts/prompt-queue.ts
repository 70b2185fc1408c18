import { comesBefore, type QueuedPrompt } from './queued-prompt.js';

/** Maximum waiting prompts and bytes of their graphs; the engine itself has no limit. */
const MAX_PENDING = 10_000;
const MAX_PENDING_BYTES = 512 * 1024 * 1024;

/** Waiting prompts as a heap, in the engine's order; the smallest number is first. */
export class PromptQueue {
  private heap: QueuedPrompt[] = [];
  private bytes = 0;

  get pending(): readonly QueuedPrompt[] {
    return this.heap;
  }

  /** False if too many prompts wait. */
  add(prompt: QueuedPrompt): boolean {
    const size = prompt.graphText.length;
    if (this.heap.length >= MAX_PENDING || this.bytes + size > MAX_PENDING_BYTES) return false;
    this.bytes += size;
    this.heap.push(prompt);
    this.rise(this.heap.length - 1);
    return true;
  }

  takeFirst(): QueuedPrompt | null {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (first === undefined || last === undefined) return null;
    this.bytes -= first.graphText.length;
    if (this.heap.length > 0) {
      this.heap[0] = last;
      this.sink(0);
    }
    return first;
  }

  /** True if it was present. */
  remove(id: string): boolean {
    const at = this.heap.findIndex((prompt) => prompt.id === id);
    if (at < 0) return false;
    const kept = this.heap.filter((_, index) => index !== at);
    this.clear();
    for (const prompt of kept) this.add(prompt);
    return true;
  }

  clear(): void {
    this.heap = [];
    this.bytes = 0;
  }

  find(id: string): QueuedPrompt | null {
    return this.heap.find((prompt) => prompt.id === id) ?? null;
  }

  private rise(at: number): void {
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!comesBefore(this.heap[at]!, this.heap[parent]!)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private sink(at: number): void {
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.heap.length && comesBefore(this.heap[child]!, this.heap[least]!)) least = child;
      }
      if (least === at) return;
      this.swap(at, least);
      at = least;
    }
  }

  private swap(a: number, b: number): void {
    [this.heap[a], this.heap[b]] = [this.heap[b]!, this.heap[a]!];
  }
}
