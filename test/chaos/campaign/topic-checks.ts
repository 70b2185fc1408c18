import type { Check } from '../log-checks.ts';
import type { RecordedRun } from '../recorded-run.ts';
import { LOSS_OF_TOPIC } from './fault.ts';
import type { Strike } from './journal.ts';
import type { TopicRecord } from './topic-record.ts';

export interface Published {
  readonly run: RecordedRun;
  readonly topic: readonly TopicRecord[];
  /** Topics with dead letters */
  readonly deadLetters: readonly string[];
  readonly strikes: readonly Pick<Strike, 'fault'>[];
}

/** Checks of the messages in the brokers against the log */
export const TOPIC_CHECKS: readonly Check<Published>[] = [
  {
    name: 'I25 every event of the log is on the topic',
    faults: ({ run, topic }) => {
      const published = new Set(topic.map(({ eventId }) => eventId));
      return eventsOf(run)
        .filter(({ eventId }) => !published.has(eventId))
        .map(({ streamId, version, type }) => `job ${streamId}: v${version} ${type} was not published`);
    },
  },
  {
    name: "I25 a job's events are on the topic in their order, on one partition",
    faults: ({ topic, strikes }) => {
      const last = new Map<string, { partition: number; version: number }>();
      const wasLost = strikes.some(({ fault }) => fault === LOSS_OF_TOPIC);
      return (wasLost ? fromFirstVersions(topic) : topic).flatMap(({ key, partition, version, type }) => {
        const before = last.get(key) ?? { partition, version: 0 };
        const known = Math.max(before.version, version);
        last.set(key, { partition, version: known });
        if (before.partition !== partition) return [`job ${key}: partitions ${before.partition} and ${partition}`];
        // Published versions may repeat; a new version follows the highest published one.
        return version <= before.version + 1 ? [] : [`job ${key}: v${version} ${type} came after v${before.version}`];
      });
    },
  },
  {
    name: 'I26 the topic holds nothing that the log does not',
    faults: ({ run, topic }) => {
      const logged = new Map(eventsOf(run).map((event) => [event.eventId, event]));
      return topic.flatMap(({ eventId, key, jobId, version, type, seq }) => {
        const event = logged.get(eventId);
        if (event === undefined) return [`event ${eventId} of job ${key} is not in the log`];
        const same = event.streamId === key && key === jobId && event.version === version;
        return same && event.type === type && event.seq === seq ? [] : [`event ${eventId} is another one in the log`];
      });
    },
  },
  {
    name: 'no message of the services was refused by them',
    faults: ({ deadLetters }) => deadLetters.map((topic) => `${topic} holds messages`),
  },
];

/** A recreated topic may begin in the middle of a job; the replay publishes the job's events from the first one. */
function fromFirstVersions(topic: readonly TopicRecord[]): readonly TopicRecord[] {
  const begun = new Set<string>();
  const hasFirst = new Set(topic.filter(({ version }) => version === 1).map(({ key }) => key));
  return topic.filter(({ key, version }) => {
    if (version === 1) begun.add(key);
    return begun.has(key) || !hasFirst.has(key);
  });
}

function eventsOf(run: RecordedRun) {
  return [...run.streams.values()].flat();
}
