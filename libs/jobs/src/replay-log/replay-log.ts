import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import { readFrom } from '@heddle/platform-event-log';
import type { MessageBus } from '@heddle/platform-message-bus';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { ClientBase } from 'pg';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { JobHoldingsReader } from '../read-holdings/job-holdings.js';
import { JobEventsRelay } from '../relay-job-events/job-events-relay.js';
import { JobMessages } from '../relay-job-events/job-messages.js';
import { OlderEnvelopes } from '../relay-job-events/older-envelopes.js';

/** Events read while the previous ones are published. */
const BATCH = 4_000;

export interface ReplayOptions {
  /** A read-only connection. */
  readonly database: ClientBase;
  readonly bus: MessageBus;
  /** The first event to publish again. */
  readonly fromSeq: number;
  /** The last one; default: the log's last event at the start. */
  readonly toSeq?: number;
  /** Where to publish; default: the topic of job events. */
  readonly topic?: string;
  /** Aborts after the events that are being published, with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ReplayProgress) => void;
}

export interface ReplayProgress {
  readonly published: number;
  /** The last event that the bus accepted. */
  readonly seq: number;
  readonly toSeq: number;
}

/** The log has no such events: `fromSeq` is after its end or before its beginning. */
export class NothingToReplayError extends Error {
  constructor(
    readonly fromSeq: number,
    readonly toSeq: number,
    why = `the log of jobs ends at seq ${toSeq}: there is nothing to publish from ${fromSeq}`,
  ) {
    super(why);
    this.name = 'NothingToReplayError';
  }
}

/**
 * Publishes events of the log again, while the relay and its traffic continue, without moving a cursor: readers
 * recognize events by id, so one that had them sees no change. The relay sends no header `epoch`. Each replay sends one,
 * higher than that of earlier replays. Throws `StoppedBefore` an event that this build cannot read.
 */
export async function replayLog(options: ReplayOptions): Promise<ReplayProgress> {
  const { database, fromSeq, onProgress, signal } = options;
  const { rows } = await database.query<{ seq: string; epoch: string }>(
    `select seq, floor(extract(epoch from heddle.clock_now()) * 1000)::bigint as epoch from ${JOBS_SCHEMA}.seq_cursor where id = 1`,
  );
  const head = Number(rows[0]?.seq ?? 0);
  const toSeq = Math.min(options.toSeq ?? head, head);
  if (fromSeq > toSeq) throw new NothingToReplayError(fromSeq, toSeq);
  const { rows: begins } = await database.query<{ first: string }>(
    `select seq as first from ${JOBS_SCHEMA}.event_seq order by seq limit 1`,
  );
  const first = Number(begins[0]?.first ?? 1);
  if (fromSeq < first) {
    const why = `the log of jobs begins at seq ${first}: earlier events left it with their partitions. Replay from ${first}`;
    throw new NothingToReplayError(fromSeq, toSeq, why);
  }
  const messages = new JobMessages(new OlderEnvelopes(database), new JobHoldingsReader(database));
  const relay = new JobEventsRelay(
    replayBus(options, rows[0]?.epoch ?? '0'),
    messages,
    new JobsMetrics(new MetricsRegistry()),
  );
  const read = async (after: number) =>
    await readFrom(database, JOBS_SCHEMA, BigInt(after), Math.min(BATCH, toSeq - after));
  let progress: ReplayProgress = { published: 0, seq: fromSeq - 1, toSeq };
  for (let events = await read(progress.seq); events.length > 0;) {
    const last = Number(events.at(-1)!.seq);
    // The log never changes, so the next batch is prefetched.
    const next = last < toSeq ? read(last) : Promise.resolve([]);
    next.catch(() => undefined);
    signal?.throwIfAborted();
    await relay.publish(events);
    progress = { published: progress.published + events.length, seq: last, toSeq };
    onProgress?.(progress);
    events = await next;
  }
  return progress;
}

/** Sends the relay's messages to the topic of the replay, with its epoch. */
function replayBus({ bus, topic = JOB_EVENTS_TOPIC }: ReplayOptions, epoch: string): Pick<MessageBus, 'publish'> {
  return {
    publish: async (_, messages) => {
      const again = messages.map((message) => ({ ...message, headers: { ...message.headers, epoch } }));
      await bus.publish(topic, again);
    },
  };
}
