import { Inject, Injectable } from '@nestjs/common';
import { WORKER_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { WorkerEvent } from '@heddle/contracts-messages';
import type { BusMessage, MessageBus } from '@heddle/platform-message-bus';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
import { JOBS_BUS } from '../jobs-connections.js';

/** Maximum messages and characters waiting during a publication: some seconds of a busy cluster. */
const MAX_WAITING = 4_096;
const MAX_CHARACTERS = 16 * 1024 ** 2;

/**
 * Publishes progress and previews for gateways. Only the newest of each job counts, so only that waits while the bus is
 * slow or unreachable; beyond the limit the oldest are dropped. No caller waits for it.
 */
@Injectable()
export class ProgressPublisher {
  readonly #waiting = new Map<string, BusMessage<WorkerEvent>>();
  #characters = 0;
  #isPublishing = false;

  constructor(
    @Inject(JOBS_BUS) private readonly bus: MessageBus,
    private readonly metrics: JobsMetrics,
  ) {}

  add(event: WorkerEvent): void {
    const { jobId, fence, kind, sequence } = event;
    const key = `${jobId}:${kind}`;
    this.#remove(key);
    const message = {
      key: jobId,
      id: `${jobId}:${fence}:${kind}:${sequence}`,
      type: kind,
      payload: event,
      headers: {},
    };
    this.#waiting.set(key, message);
    this.#characters += sizeOf(event);
    for (const oldest of this.#waiting.keys()) {
      if (this.#waiting.size <= MAX_WAITING && this.#characters <= MAX_CHARACTERS) break;
      this.#remove(oldest);
      this.metrics.dropped('bus_away');
    }
    if (!this.#isPublishing) void this.#publish();
  }

  async #publish(): Promise<void> {
    this.#isPublishing = true;
    while (this.#waiting.size > 0) {
      const messages = [...this.#waiting.values()];
      this.#waiting.clear();
      this.#characters = 0;
      await this.bus.publish(WORKER_EVENTS_TOPIC, messages).catch(() => {
        for (const _ of messages) this.metrics.dropped('bus_away');
      });
    }
    this.#isPublishing = false;
  }

  #remove(key: string): void {
    const message = this.#waiting.get(key);
    if (message === undefined) return;
    this.#waiting.delete(key);
    this.#characters -= sizeOf(message.payload);
  }
}

function sizeOf(event: WorkerEvent): number {
  return event.kind === 'preview' ? event.dataBase64.length : 512;
}
