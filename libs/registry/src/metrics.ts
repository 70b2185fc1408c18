import type { MetricDeclaration } from '@heddle/platform-telemetry';

/** Metrics of the registry. */
export const REGISTRY_METRICS = {
  relayLagSeconds: {
    name: 'heddle_registry_relay_lag_seconds',
    help: 'Age of the oldest committed event of the registry that is not published',
  },
} as const satisfies Record<string, MetricDeclaration>;
