import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ServedFolders, FolderType } from '../files/engine-folders.js';
import type { NodeOutput } from '../prompts/prompt-history.js';
import type { QueuedPrompt } from '../prompts/queued-prompt.js';
import type { PromptEnding } from '../running/prompt-ending.js';
import type { PromptStage } from '../running/prompt-stage.js';

/** 1 x 1 pixel, red. */
export const SMALL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

/** An output as the engine lists it. */
interface OutputItem {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: FolderType;
}

/** The course of one prompt: reports events to the stage and returns how it ends; nothing means success. */
export type PromptScript = (play: Play) => Promise<PromptEnding | void>;

/** Actions that a script can take on its prompt. */
export class Play {
  private started = false;

  constructor(
    readonly prompt: QueuedPrompt,
    readonly stage: PromptStage,
    /** Aborted when the prompt is interrupted. */
    readonly signal: AbortSignal,
    private readonly folders: ServedFolders,
  ) {}

  /** Sends `execution_start` and `execution_cached`. The first node calls it if the script does not. */
  start(cached: readonly string[] = []): void {
    if (this.started) return;
    this.started = true;
    this.stage.start(cached);
  }

  /** Starts a node and, if it has an output, ends it with that output. */
  node(nodeId: string, output?: NodeOutput): void {
    this.begin(nodeId);
    this.finish(nodeId, output);
  }

  begin(nodeId: string): void {
    this.start();
    this.stage.nodeStarted(nodeId);
  }

  finish(nodeId: string, output?: NodeOutput): void {
    if (output !== undefined) this.stage.nodeOutput(nodeId, output);
    this.stage.nodeFinished(nodeId);
  }

  /** Writes a file into an engine folder and returns its entry as the engine lists it. */
  async file(filename: string, bytes: Uint8Array, type: FolderType = 'output', subfolder = ''): Promise<OutputItem> {
    const path = await this.folders.locate(type, subfolder, filename);
    if (path === null) throw new RangeError(`${filename} leads out of the folder`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    return { filename, subfolder, type };
  }

  /** Resolves when the prompt is interrupted. */
  interrupted(): Promise<void> {
    if (this.signal.aborted) return Promise.resolve();
    return new Promise((done) => this.signal.addEventListener('abort', () => done(), { once: true }));
  }

  /** Continues until the prompt is interrupted, and then stops. */
  async endless(): Promise<PromptEnding> {
    await this.interrupted();
    return { kind: 'interrupted' };
  }

  /** Continues until the engine is closed or restarted; interruptions have no effect. */
  deaf(): Promise<never> {
    return new Promise(() => undefined);
  }

  /** An exception of a node, with a traceback full of machine paths like the engine's. */
  error(nodeId: string, message: string, exceptionType = 'RuntimeError'): PromptEnding {
    return {
      kind: 'failed',
      nodeId,
      exceptionType,
      message: `${message}\n`,
      traceback: [
        '  File "/engine/execution.py", line 545, in execute\n    output_data = await get_output_data(prompt_id)\n',
        '  File "/home/someone/engine/nodes.py", line 12, in run\n    raise RuntimeError\n',
      ],
      currentInputs: { image: ['tensor([[[[0., 0.]]]])'] },
    };
  }

  outOfMemory(nodeId: string): PromptEnding {
    return this.error(nodeId, 'Allocation on device 0 would exceed allowed memory.', 'torch.OutOfMemoryError');
  }
}

/** Runs every node in an order that its links allow; save and preview nodes display a small image or a text. */
export async function playGraph(play: Play): Promise<PromptEnding> {
  play.start();
  let count = 0;
  for (const nodeId of inOrder(play.prompt)) {
    play.begin(nodeId);
    if (play.signal.aborted) return { kind: 'interrupted' };
    count += 1;
    play.finish(nodeId, await usualOutput(play, nodeId, count));
    // Lets interruptions and other requests run between nodes.
    await new Promise((done) => setImmediate(done));
  }
  return { kind: 'succeeded' };
}

async function usualOutput(play: Play, nodeId: string, count: number): Promise<NodeOutput | undefined> {
  const { class_type: classType, inputs } = play.prompt.graph[nodeId] ?? { class_type: '', inputs: {} };
  const unique = `${play.prompt.id.slice(0, 8)}_${String(count).padStart(5, '0')}_.png`;
  if (classType === 'SaveImage') {
    const prefix = typeof inputs['filename_prefix'] === 'string' ? inputs['filename_prefix'] : 'ComfyUI';
    const at = prefix.lastIndexOf('/');
    return {
      images: [
        await play.file(`${prefix.slice(at + 1)}_${unique}`, SMALL_PNG, 'output', prefix.slice(0, Math.max(0, at))),
      ],
    };
  }
  if (classType === 'PreviewImage') return { images: [await play.file(`ComfyUI_temp_${unique}`, SMALL_PNG, 'temp')] };
  return classType === 'PreviewAny' ? { text: [String(inputs['source'] ?? '')] } : undefined;
}

function inOrder({ graph }: QueuedPrompt): string[] {
  const order: string[] = [];
  const waiting = new Set(Object.keys(graph));
  for (let before = -1; waiting.size > 0 && before !== waiting.size;) {
    before = waiting.size;
    for (const id of waiting) {
      const links = Object.values(graph[id]?.inputs ?? {}).filter((value) => Array.isArray(value));
      if (links.some(([source]) => waiting.has(String(source)))) continue;
      order.push(id);
      waiting.delete(id);
    }
  }
  return order;
}
