/** Settles like `work`, but rejects with `late` after `limitMs`; `work` is then ignored. */
export async function withinMs<Result>(limitMs: number, work: Promise<Result>, late: () => Error): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(0, limitMs));
  });
  // A later failure has no listener.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles like `work`, but rejects with `given` once the signal is aborted; `work` is then ignored. */
export async function untilAborted<Result>(
  signal: AbortSignal | undefined,
  work: Promise<Result>,
  given: () => Error,
): Promise<Result> {
  if (signal === undefined) return await work;
  let giveUp: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(given());
  });
  work.catch(() => undefined);
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
