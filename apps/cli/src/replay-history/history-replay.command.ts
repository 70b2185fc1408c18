import type { ReplayProgress } from '@heddle/jobs';
import { clusterSettings } from '../cluster-settings.js';
import { secretValue } from '../command-line/env-value.js';
import { answered } from '../dead-letters/letter-box.js';
import type { Command, CommandCall } from '../command-line/command.js';
import { EXIT, failed, wrongUsage } from '../failure.js';
import { openLog } from '../show-history/open-log.js';
import { progressBar } from '../terminal/progress-bar.js';

const TELL_EVERY_MS = 1_000;

export const historyReplayCommand: Command = {
  name: 'history replay',
  summary: 'publish job events of the log to Kafka again, beside live traffic',
  words: '',
  isLocal: true,
  options: {
    'from-seq': { value: 'N', meaning: 'sequence number of the first event; 1 is the whole log' },
    'to-seq': { value: 'M', meaning: 'sequence number of the last event (the end of the log)' },
    'database-url': { value: 'URL', meaning: 'the database of the jobs service (HEDDLE_DATABASE_URL)' },
  },
  examples: ['heddle history replay --from-seq 1', 'heddle history replay --from-seq 120000 --to-seq 130000 --json'],
  notes: async () =>
    await Promise.resolve([
      'Refills a lost topic for other consumers. The services of Heddle need no replay: they read missed events from the log.',
      'Services that applied an event before ignore it. No cursor moves, and jobs continue.',
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
  const databaseUrl = options.text('database-url') ?? secretValue(env, 'HEDDLE_DATABASE_URL');
  const settings = await clusterSettings(env, 'history replay');
  if (databaseUrl === null)
    throw wrongUsage(
      'history replay needs a cluster, and HEDDLE_DATABASE_URL is not set',
      'set HEDDLE_DATABASE_URL (or --database-url) to the database of the jobs service',
    );
  const { publisherOf } = await import('@heddle/composition/kafka-tools');
  const { NothingToReplayError, replayLog } = await import('@heddle/jobs');
  const { StoppedBefore } = await import('@heddle/platform-event-log');
  const log = await openLog({
    databaseUrl,
    urlSetBy: options.text('database-url') === null ? 'HEDDLE_DATABASE_URL' : '--database-url',
    dataDir: '',
  });
  try {
    const bus = await answered(publisherOf(settings));
    const began = performance.now();
    let toldAt = began;
    const tell = (progress: ReplayProgress, done: boolean): void => {
      const line = { ...wire(progress), done, events_per_s: rate(progress, began) };
      terminal.printJson(line);
      if (terminal.json) return;
      if (done)
        terminal.print(`published ${progress.published} events up to seq ${progress.seq}, ${line.events_per_s}/s`);
      else
        terminal.draw([
          `${progressBar((progress.seq - fromSeq + 1) / (progress.toSeq - fromSeq + 1), 30)} seq ${progress.seq}`,
        ]);
    };
    const onProgress = (progress: ReplayProgress): void => {
      if (performance.now() - toldAt < TELL_EVERY_MS) return;
      toldAt = performance.now();
      tell(progress, false);
    };
    try {
      const end = await answered(replayLog({ database: log.client, bus, fromSeq, toSeq, onProgress }));
      terminal.erase();
      tell(end, true);
    } catch (error) {
      if (error instanceof NothingToReplayError || error instanceof StoppedBefore) throw failed(error.message);
      throw error;
    } finally {
      await bus.close();
    }
    return EXIT.done;
  } finally {
    await log.close();
  }
}

function seqOf({ options }: CommandCall, name: string): number | undefined {
  const text = options.text(name);
  if (text === null) return undefined;
  const seq = Number(text);
  if (!Number.isSafeInteger(seq) || seq < 1)
    throw wrongUsage(`--${name} must be a whole number of 1 or more, not "${text}"`, `for example --${name} 1`);
  return seq;
}

function rate({ published }: ReplayProgress, began: number): number {
  return Math.round((published / (performance.now() - began)) * 1_000);
}

function wire({ published, seq, toSeq }: ReplayProgress): object {
  return { published, seq, to_seq: toSeq };
}
