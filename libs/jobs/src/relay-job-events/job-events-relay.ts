import { Inject, Injectable } from '@nestjs/common';
import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { SequencedEvent } from '@heddle/platform-event-log';
import type { BusMessage, MessageBus } from '@heddle/platform-message-bus';
import { JobsMetrics } from '../jobs-metrics.js';
import { JobMessages } from './job-messages.js';
import { JOBS_BUS } from '../jobs-connections.js';

/** Events that are handed to the bus together. */
const PART = 1_000;

/**
 * From the log to the bus, in the order of the log: the one durable path by which other services hear of jobs. The
 * reader's cursor moves after the bus has taken the batch, so everything is published at least once. Nothing is folded:
 * status and trace of a message are those of the event's envelope. It never goes past an event that it cannot read: other
 * services would never hear of that event.
 */
@Injectable()
export class JobEventsRelay {
  constructor(
    @Inject(JOBS_BUS) private readonly bus: MessageBus,
    private readonly messages: JobMessages,
    private readonly metrics: JobsMetrics,
  ) {}

  /**
   * In parts, one after the other: while one is on its way to the bus the next is put together. Throws `StoppedBefore`
   * the first event that this build cannot read, when the bus has taken all events before it.
   */
  async publish(events: readonly SequencedEvent[]): Promise<void> {
    let sending = Promise.resolve();
    for (let at = 0; at < events.length; at += PART) {
      const { messages, stop } = await this.messages.of(events.slice(at, at + PART));
      // What comes behind a part that was not taken must not go before it.
      await sending;
      sending = this.#send(messages);
      // Told where it is awaited, which is after the next part was put together.
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
