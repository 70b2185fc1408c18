/**
 * Calls `probe` until it returns something, at most `withinMs`; the pause grows from 5 to 100 ms. For conditions
 * without a signal: if there is one (a frame, an exit), wait for that.
 */
export async function eventually<Found>(
  what: string,
  probe: () => Promise<Found | undefined | null | false> | Found | undefined | null | false,
  withinMs = 45_000,
): Promise<Found> {
  const deadline = performance.now() + withinMs;
  for (let pause = 5; ; pause = Math.min(pause * 1.5, 100)) {
    const found = await probe();
    if (found !== undefined && found !== null && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`${what} did not come about within ${withinMs} ms`);
    await new Promise((wake) => setTimeout(wake, pause));
  }
}
