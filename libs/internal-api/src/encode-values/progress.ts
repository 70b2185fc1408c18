import type { JobProgress } from '@heddle/contracts-messages';

/** Progress in the messages of the jobs service and of the worker protocol, which are published apart. */
interface ProgressMessage {
  readonly value: number;
  readonly nodesDone: number;
  readonly nodesTotal: number;
  readonly currentNode?: string | undefined;
  readonly currentNodeClass?: string | undefined;
  readonly step?: number | undefined;
  readonly steps?: number | undefined;
  readonly message?: string | undefined;
}

export function progressMessage(progress: JobProgress): ProgressMessage {
  const { currentNode, currentNodeClass, step, steps, message, ...numbers } = progress;
  return {
    ...numbers,
    currentNode: currentNode ?? undefined,
    currentNodeClass: currentNodeClass ?? undefined,
    step: step ?? undefined,
    steps: steps ?? undefined,
    message: message ?? undefined,
  };
}

export function progressOf(progress: ProgressMessage): JobProgress {
  const { currentNode, currentNodeClass, step, steps, message, ...numbers } = progress;
  return {
    ...numbers,
    currentNode: currentNode ?? null,
    currentNodeClass: currentNodeClass ?? null,
    step: step ?? null,
    steps: steps ?? null,
    message: message ?? null,
  };
}
