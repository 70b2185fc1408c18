/** As the work, and rejects with `late` after so many ms; what the work does afterwards is not waited for. */
export async function withinMs<Result>(limitMs: number, work: Promise<Result>, late: () => Error): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(0, limitMs));
  });
  // Where it fails later nobody listens any more.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
