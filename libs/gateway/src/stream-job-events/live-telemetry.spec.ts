import type { JobId, JobMessage } from '@heddle/contracts-messages';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { SpanOptions, Tracer } from '@heddle/platform-telemetry';
import { describe, expect, it } from 'vitest';
import { EventStream } from './event-stream.js';
import { CONTEXT } from './job-story.fixture.js';
import { LiveTelemetry } from './live-telemetry.js';
import { RecordedSocket } from './recorded-socket.fake.js';

const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

/** Records started spans. */
class RememberedSpans implements Tracer {
  readonly begun: { name: string; parent: string | null; options: SpanOptions }[] = [];

  startSpan(name: string, parent: string | null, options: SpanOptions = {}): ReturnType<Tracer['startSpan']> {
    this.begun.push({ name, parent, options });
    return { traceparent: TRACE, end: () => undefined };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

describe('the telemetry of the live path', () => {
  const jobId = 'j' as JobId;

  it('is a span of the job with the last frame, where its trace is known and somebody watched', () => {
    const spans = new RememberedSpans();
    const telemetry = new LiveTelemetry(new MetricsRegistry(), spans);
    const frame = { jobId, status: 'succeeded', streams: 2, traceparent: TRACE, startMs: 5 } as const;
    telemetry.lastFrame(frame);
    telemetry.lastFrame({ ...frame, traceparent: null });
    telemetry.lastFrame({ ...frame, streams: 0 });
    expect(spans.begun).toMatchObject([
      { name: 'job.terminal.frame', parent: TRACE, options: { startMs: 5, attributes: { 'heddle.streams': 2 } } },
    ]);
  });

  it('counts how old events are when they come, never below zero', async () => {
    const metrics = new MetricsRegistry();
    const telemetry = new LiveTelemetry(metrics);
    const recorded = (ageMs: number): JobMessage =>
      ({ recordedAt: new Date(Date.now() - ageMs).toISOString() }) as JobMessage;
    telemetry.arrived(recorded(60_000));
    telemetry.arrived(recorded(-60_000));
    const sum = Number(/^heddle_event_freshness_seconds_sum (.*)$/m.exec(await metrics.metrics())?.[1]);
    expect(sum).toBeGreaterThanOrEqual(60);
    expect(sum).toBeLessThan(65);
  });

  it('counts a frame that a newer one replaced before its reader came, and none that it will still get', async () => {
    const metrics = new MetricsRegistry();
    const telemetry = new LiveTelemetry(metrics);
    const socket = new RecordedSocket();
    const stream = new EventStream(socket, CONTEXT, (kind) => telemetry.skipped(kind));
    Object.defineProperty(socket, 'writableLength', { value: 1_000_000 });
    stream.write(Buffer.from('x'));
    for (let n = 0; n < 3; n += 1) stream.owe('progress');
    stream.owe('status');
    expect(await metrics.metrics()).toContain('heddle_sse_frames_skipped_total{kind="progress"} 2\n');
    expect(await metrics.metrics()).not.toContain('kind="status"');
  });
});
