import type { MetricsRegistry } from '@heddle/platform-telemetry';

interface JobsCheck {
  readonly name: string;
  readonly optional: true;
  /** Returns what is wrong, or null. */
  readonly check: () => string | null;
}

/** Receives the checks of the relay and the log. */
export interface JobsReadiness {
  push(check: JobsCheck): unknown;
}

/** A class whose state is read at each scrape and, if it has a check, at each `/readyz`. No suite: each has figures of its own. */
export interface Observed {
  registerGauges(registry: MetricsRegistry): void;
  readonly readinessCheck?: Pick<JobsCheck, 'name' | 'check'>;
}
