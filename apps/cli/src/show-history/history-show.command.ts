import type { HistorySource } from '@heddle/jobs-history';
import type { decodeJobEvent as DecodeJobEvent, JobEvent } from '@heddle/jobs-domain';
import type { StoredEvent } from '@heddle/platform-event-log';
import type { Command, CommandCall } from '../command-line/command.js';
import { codedFailure, EXIT } from '../failure.js';
import { oneJob, SEARCHED, uniqueMatch } from '../list-jobs/job-id.js';
import { clusterLogBeside } from './cluster-log.js';
import { LOG_OPTIONS, logPlaceOf } from './log-place.js';
import { Interrupted } from './long-work.js';
import { FROM_OPTION, readingSource, withSource } from './open-source.js';
import { renderHistory } from './render-history.js';
import { renderSummary } from './render-summary.js';

export const historyShowCommand: Command = {
  name: 'history show',
  summary: "a job's stored events as a time line, read where the data is",
  words: 'JOB',
  isLocal: true,
  options: {
    ...LOG_OPTIONS,
    from: FROM_OPTION,
    summary: { value: null, meaning: 'times, attempts, node runs and outputs instead of the events' },
  },
  examples: [
    'heddle history show 0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10',
    'heddle history show JOB --summary',
    'heddle history show JOB --json | jq -r .type',
  ],
  notes: () => Promise.resolve(['Works while Heddle runs and when it is stopped. It calls no service.']),
  run: showHistory,
};

async function showHistory(call: CommandCall): Promise<number> {
  const { words, options, terminal } = call;
  const word = oneJob(words, 'history show');
  // Loaded on demand, so that other commands start without a database driver.
  const [{ eventLine, summarizeJob }, { decodeJobEvent }] = await Promise.all([
    import('@heddle/jobs-history'),
    import('@heddle/jobs-domain'),
  ]);
  try {
    const [stored, inDatabase] = await readingSource(() =>
      withSource(call, async (source, log) => [await eventsOfWord(source, word), log !== null] as const),
    );
    if (stored.length === 0)
      throw codedFailure(
        'not_found',
        `no job ${word} in this log`,
        EXIT.failed,
        (inDatabase ? clusterLogBeside(logPlaceOf(call).dataDir) : null) ??
          'heddle jobs lists the jobs; --data or HEDDLE_DATABASE_URL names another log',
      );
    if (options.on('summary')) {
      const summary = summarizeJob(stored);
      terminal.printJson(summary);
      if (!terminal.json) for (const line of renderSummary(summary)) terminal.print(line);
      return EXIT.done;
    }
    terminal.printJsonLines(stored, eventLine);
    if (!terminal.json) {
      const entries = stored.map((event) => ({ ...event, event: decoded(event, decodeJobEvent) }));
      for (const line of renderHistory(entries, terminal.width)) terminal.print(line);
    }
    return EXIT.done;
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.interrupted;
    throw error;
  }
}

/** A part of an id is looked up among the newest jobs; a stream of lines takes whole ids alone. */
async function eventsOfWord(
  source: HistorySource,
  word: string,
): Promise<Awaited<ReturnType<HistorySource['eventsOf']>>> {
  const id = uniqueMatch(word.length === 36 ? [] : await source.newestJobs(SEARCHED), word);
  return await source.eventsOf(id);
}

/** Null for an event of a newer version, or with a purged payload: only its name is shown. */
function decoded(stored: StoredEvent, decode: typeof DecodeJobEvent): JobEvent | null {
  if (stored.data === null) return null;
  try {
    return decode(stored.type, stored.schemaVersion, stored.data.toString('utf8'));
  } catch {
    return null;
  }
}
