import { exportsSpans } from './otel-settings.js';
import type { Tracer, TracerOptions } from './tracer.js';

/**
 * The tracer of this process, or null if the OTEL_ settings configure no exporter. OpenTelemetry is loaded only if
 * needed, to save start-up time and memory.
 */
export async function createTracer(options: TracerOptions): Promise<Tracer | null> {
  if (!exportsSpans(process.env)) return null;
  const { startExportingTracer } = await import('./exporting-tracer.js');
  return startExportingTracer(options);
}
