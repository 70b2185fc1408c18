/** A node refused its inputs, as an exception in the real engine: `type` is the Python exception's name. */
export class NodeError extends Error {
  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
    this.name = 'NodeError';
  }
}

/** The pixels of a run do not fit the budget of the engine process. */
export class OutOfMemoryError extends Error {
  constructor(readonly neededBytes: number) {
    super(`not enough memory for ${neededBytes} more bytes`);
    this.name = 'OutOfMemoryError';
  }
}

/** The run was cancelled; thrown at a checkpoint so that the node stops early. */
export class InterruptedError extends Error {
  constructor() {
    super('interrupted');
    this.name = 'InterruptedError';
  }
}
