/** `name.p50` and `name.p99` of measured times. */
export function quantiles(name: string, times: readonly number[]): Record<string, number> {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return { [`${name}.p50`]: at(0.5), [`${name}.p99`]: at(0.99) };
}
