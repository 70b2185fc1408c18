import type {
  BatchHandler,
  BusMessage,
  BusSubscription,
  MessageBus,
  SubscribeOptions,
} from '@heddle/platform-message-bus';
import type { MetricsRegistry, SpanHandle, Tracer } from '@heddle/platform-telemetry';
import type { Counter, Histogram } from 'prom-client';
import { PROCESS_METRICS } from '../metrics.js';

const TRACEPARENT = 'traceparent';
/** Frequent and expendable: they carry the trace but have no span. */
const UNTRACED: ReadonlySet<string> = new Set(['progress', 'preview']);

/** A bus that counts messages and, with a collector, adds spans to their traces. */
export class ObservedBus implements MessageBus {
  readonly #published: Counter<'topic'>;
  readonly #failed: Counter<'topic'>;
  readonly #handled: Counter<'topic' | 'group'>;
  readonly #seconds: Histogram<'topic' | 'group'>;

  constructor(
    private readonly bus: MessageBus,
    metrics: MetricsRegistry,
    private readonly tracer: Tracer | null,
  ) {
    this.#published = metrics.counter(PROCESS_METRICS.busPublished);
    this.#failed = metrics.counter(PROCESS_METRICS.busPublishFailed);
    this.#handled = metrics.counter(PROCESS_METRICS.busHandled);
    this.#seconds = metrics.histogram(PROCESS_METRICS.busHandleSeconds);
  }

  async publish(topic: string, messages: readonly BusMessage[]): Promise<void> {
    const spans: SpanHandle[] = [];
    const sent = this.tracer === null ? messages : messages.map((message) => this.#sent(topic, message, spans));
    try {
      await this.bus.publish(topic, sent);
      this.#published.inc({ topic }, messages.length);
      for (const span of spans) span.end();
    } catch (error) {
      this.#failed.inc({ topic }, messages.length);
      for (const span of spans) span.end({ 'error.type': error instanceof Error ? error.name : 'unknown' });
      throw error;
    }
  }

  async subscribe(
    topic: string,
    group: string,
    handle: BatchHandler,
    options: SubscribeOptions = {},
  ): Promise<BusSubscription> {
    // Messages to every process are traced where they have an effect, not where they arrive.
    const traced = options.everyProcess !== true;
    const labels = { topic, group };
    const observed: BatchHandler = async (batch) => {
      const started = performance.now();
      const spans = traced ? this.#received(topic, group, batch) : [];
      try {
        await handle(batch);
        this.#handled.inc(labels, batch.length);
        for (const span of spans) span.end();
      } catch (error) {
        for (const span of spans) span.end({ 'error.type': error instanceof Error ? error.name : 'unknown' });
        throw error;
      } finally {
        this.#seconds.observe(labels, (performance.now() - started) / 1000);
      }
    };
    return await this.bus.subscribe(topic, group, observed, options);
  }

  async close(): Promise<void> {
    await this.bus.close();
  }

  /** The outgoing message, with its trace continued under the publishing span. */
  #sent(topic: string, message: BusMessage, spans: SpanHandle[]): BusMessage {
    const span = this.#span(`publish ${topic}`, 'producer', message);
    if (span === null) return message;
    spans.push(span);
    return { ...message, headers: { ...message.headers, [TRACEPARENT]: span.traceparent } };
  }

  #received(topic: string, group: string, batch: readonly BusMessage[]): readonly SpanHandle[] {
    if (this.tracer === null) return [];
    return batch.flatMap((message) => this.#span(`process ${topic} as ${group}`, 'consumer', message) ?? []);
  }

  #span(name: string, kind: 'producer' | 'consumer', { type, key, headers }: BusMessage): SpanHandle | null {
    const parent = headers[TRACEPARENT];
    if (parent === undefined || UNTRACED.has(type)) return null;
    const attributes = { 'heddle.message_type': type, 'heddle.message_key': key };
    return this.tracer?.startSpan(name, parent, { kind, attributes }) ?? null;
  }
}
