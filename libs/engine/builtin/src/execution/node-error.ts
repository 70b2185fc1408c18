/** A node refused its inputs, like an exception in the real engine; `type`: name of the Python exception. */
export class NodeError extends Error {
  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
    this.name = 'NodeError';
  }
}

/** For people: of a run that exceeds the budget of pixels, the resident memory or the heap of its process. */
export const OUT_OF_MEMORY =
  'The engine ran out of memory. Process less data at once; the setting HEDDLE_ENGINE_MEMORY_MB raises the limit of pixels and files.';

/** The pixels of a run exceed the budget of the engine process. */
export class OutOfMemoryError extends Error {
  constructor(readonly neededBytes: number) {
    super(`not enough memory for ${neededBytes} more bytes`);
    this.name = 'OutOfMemoryError';
  }
}

/** The run was canceled; thrown at a checkpoint to stop the node early. */
export class InterruptedError extends Error {
  constructor() {
    super('interrupted');
    this.name = 'InterruptedError';
  }
}
