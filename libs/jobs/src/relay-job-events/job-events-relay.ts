import { Inject, Injectable } from '@nestjs/common';
import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { SequencedEvent } from '@heddle/platform-event-log';
import type { BusMessage, MessageBus } from '@heddle/platform-message-bus';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
import { JobMessages } from './job-messages.js';
import { JOBS_BUS } from '../jobs-connections.js';

/** Events published together. */
const PART = 1_000;

/**
 * Publishes the log to the bus in log order: the only durable path by which other services learn of jobs. The reader's
 * cursor moves after the bus has accepted the batch, so everything is published at least once. Nothing is folded:
 * status and trace of a message come from the event's envelope. It never passes an event that it cannot read, because
 * other services would never receive that event.
 */
@Injectable()
export class JobEventsRelay {
  constructor(
    @Inject(JOBS_BUS) private readonly bus: Pick<MessageBus, 'publish'>,
    private readonly messages: JobMessages,
    private readonly metrics: JobsMetrics,
  ) {}

  /**
   * Publishes in parts, one after the other, and builds the next part meanwhile. Throws `StoppedBefore` the first event
   * that this build cannot read, after all earlier events were published.
   */
  async publish(events: readonly SequencedEvent[]): Promise<void> {
    let sending = Promise.resolve();
    for (let at = 0; at < events.length; at += PART) {
      const { messages, stop } = await this.messages.of(events.slice(at, at + PART));
      // A later part must not overtake one that was not published.
      await sending;
      sending = this.#send(messages);
      // A failure surfaces where it is awaited, after the next part was built.
      sending.catch(() => undefined);
      if (stop === null) continue;
      await sending;
      throw stop;
    }
    await sending;
  }

  async #send(messages: readonly BusMessage[]): Promise<void> {
    if (messages.length === 0) return;
    await this.bus.publish(JOB_EVENTS_TOPIC, messages);
    this.metrics.relayed(messages.length);
  }
}
