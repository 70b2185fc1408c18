import type { MetricDeclaration } from '@heddle/platform-telemetry';

/** Metrics of the gateway. */
export const GATEWAY_METRICS = {
  streamsOpen: { name: 'heddle_sse_streams', help: 'Open event streams' },
  framesSkipped: {
    name: 'heddle_sse_frames_skipped_total',
    help: 'Frames that a reader was too slow for, by kind: it gets a newer one',
    labelNames: ['kind'],
  },
  streamsCut: {
    name: 'heddle_sse_streams_cut_total',
    help: 'Event streams that were ended because the client did not read them',
  },
  eventFreshness: {
    name: 'heddle_event_freshness_seconds',
    help: 'From the commit of a job event to its arrival at a gateway',
  },
} as const satisfies Record<string, MetricDeclaration>;
