export { createLogger } from './logger.js';
export type { Logger } from './logger.js';
export { Counter, Gauge, Histogram, MetricsRegistry } from './metrics.js';
export type { Labels } from './metrics.js';
export { METRICS } from './metric-names.js';
export { createTracer, parseTraceparent } from './tracing.js';
export type { SpanHandle, Tracer } from './tracing.js';
