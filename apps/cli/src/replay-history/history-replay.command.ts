import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { ReplayProgress } from '@heddle/jobs';
import { clusterSettings } from '../cluster-settings.js';
import { secretValue } from '../command-line/env-value.js';
import { answered } from '../dead-letters/letter-box.js';
import type { Command, CommandCall } from '../command-line/command.js';
import { EXIT, failed, wrongUsage } from '../failure.js';
import { Interrupted, longWork } from '../show-history/long-work.js';
import { progressOn } from '../terminal/work-progress.js';

const TOPIC = /^[A-Za-z\d._-]{1,200}$/;

export const historyReplayCommand: Command = {
  name: 'history replay',
  summary: 'publish job events of the log to Kafka again, beside live traffic',
  words: '',
  isLocal: true,
  options: {
    'from-seq': { value: 'N', meaning: 'sequence number of the first event; 1 is the whole log' },
    'to-seq': { value: 'M', meaning: 'sequence number of the last event (the end of the log)' },
    topic: { value: 'T', meaning: 'topic to publish to (heddle.jobs.events.v1); HEDDLE_KAFKA_PREFIX is put before it' },
    'database-url': { value: 'URL', meaning: 'the database of the jobs service (HEDDLE_DATABASE_URL)' },
  },
  examples: ['heddle history replay --from-seq 1', 'heddle history replay --from-seq 120000 --to-seq 130000 --json'],
  notes: async () =>
    await Promise.resolve([
      'Refills a lost topic for other consumers. The services of Heddle need no replay: they read missed events from the log.',
      'Services that applied an event before ignore it. No cursor moves, and jobs continue.',
      'The header epoch of a message is the time of the replay in milliseconds. Messages of the relay have none.',
      'HEDDLE_DATABASE_URL and HEDDLE_KAFKA_BROKERS are the settings of the cluster. The metric heddle_inbox_place shows the last seq of a service.',
    ]),
  run: replay,
};

async function replay(call: CommandCall): Promise<number> {
  const { words, options, terminal, env } = call;
  if (words.length > 0) throw wrongUsage('history replay takes no arguments', 'e.g. --from-seq 1');
  const fromSeq = seqOf(call, 'from-seq');
  if (fromSeq === undefined) throw wrongUsage('--from-seq is missing', '--from-seq 1 publishes the whole log');
  const toSeq = seqOf(call, 'to-seq');
  if (toSeq !== undefined && toSeq < fromSeq) throw wrongUsage(`--to-seq ${toSeq} is before --from-seq ${fromSeq}`);
  const topic = topicOf(call);
  const databaseUrl = options.text('database-url') ?? secretValue(env, 'HEDDLE_DATABASE_URL');
  const settings = await clusterSettings(env, 'history replay');
  if (databaseUrl === null)
    throw wrongUsage(
      'history replay needs a cluster, and HEDDLE_DATABASE_URL is not set',
      'set HEDDLE_DATABASE_URL (or --database-url) to the database of the jobs service',
    );
  const [{ withLog }, { publisherOf }, { NothingToReplayError, replayLog }, { StoppedBefore }] = await Promise.all([
    import('../show-history/open-log.js'),
    import('@heddle/composition/kafka-tools'),
    import('@heddle/jobs'),
    import('@heddle/platform-event-log'),
  ]);
  const urlSetBy = options.text('database-url') === null ? 'HEDDLE_DATABASE_URL' : '--database-url';
  const began = performance.now();
  const tell = progressOn(terminal);
  const onProgress = ({ seq, toSeq: last }: ReplayProgress): void =>
    tell({ phase: 'replay', events: seq - fromSeq + 1, total: last - fromSeq + 1 });
  try {
    const replayed = await longWork((signal) =>
      withLog({ databaseUrl, urlSetBy, dataDir: '' }, {}, signal, async ({ client: database }) => {
        const bus = await answered(publisherOf(settings));
        try {
          return await answered(replayLog({ database, bus, topic, fromSeq, toSeq, signal, onProgress }));
        } finally {
          await bus.close();
        }
      }),
    );
    terminal.erase();
    const name = settings.kafkaPrefix + topic;
    const [events, seconds] = [replayed.published, Math.round(performance.now() - began) / 1_000];
    terminal.printJson({ topic: name, from_seq: fromSeq, to_seq: replayed.seq, events, seconds });
    if (!terminal.json)
      terminal.print(
        `published ${events} events, seq ${fromSeq} to ${replayed.seq}, to ${name} in ${seconds.toFixed(1)} s`,
      );
    return EXIT.done;
  } catch (error) {
    terminal.erase();
    if (error instanceof Interrupted) return EXIT.interrupted;
    if (error instanceof NothingToReplayError || error instanceof StoppedBefore) throw failed(error.message);
    throw error;
  }
}

function topicOf({ options }: CommandCall): string {
  const topic = options.text('topic') ?? JOB_EVENTS_TOPIC;
  if (TOPIC.test(topic)) return topic;
  throw wrongUsage(
    `--topic must be the name of a topic: letters, digits, ".", "_" and "-", not "${topic}"`,
    `for example --topic ${JOB_EVENTS_TOPIC}`,
  );
}

function seqOf({ options }: CommandCall, name: string): number | undefined {
  const text = options.text(name);
  if (text === null) return undefined;
  const seq = Number(text);
  if (!Number.isSafeInteger(seq) || seq < 1)
    throw wrongUsage(`--${name} must be a whole number of 1 or more, not "${text}"`, `for example --${name} 1`);
  return seq;
}
