/** Shows a person the progress of a start, and events while the cluster runs. */
export interface Progress {
  /** A step of the start, shown with its duration; `note` describes what it is doing. */
  step<T>(name: string, work: (note: (text: string) => void) => Promise<T>): Promise<T>;
  say(line: string): void;
}

/** `3.1 s`, `2 min 05 s` */
export function seconds(milliseconds: number): string {
  if (milliseconds < 100_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const whole = Math.round(milliseconds / 1_000);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}
