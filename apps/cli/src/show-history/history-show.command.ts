import type { decodeJobEvent as DecodeJobEvent, JobEvent } from '@heddle/jobs-domain';
import type { StoredEvent } from '@heddle/platform-event-log';
import type { Command, CommandCall } from '../command-line/command.js';
import { EXIT, failed } from '../failure.js';
import { oneJob, SEARCHED, theOneOf } from '../list-jobs/job-id.js';
import { clusterLogBeside } from './cluster-log.js';
import { LOG_OPTIONS, logPlaceOf } from './log-place.js';
import { renderHistory } from './render-history.js';

const JOBS_SCHEMA = 'jobs';

export const historyShowCommand: Command = {
  name: 'history show',
  summary: "a job's stored events as a time line, read where the data is",
  words: 'JOB',
  isLocal: true,
  options: LOG_OPTIONS,
  examples: [
    'heddle history show 0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10',
    'heddle history show JOB --json | jq -r .type',
  ],
  notes: () => Promise.resolve(['Works while Heddle runs and when it is stopped. It calls no service.']),
  run: showHistory,
};

async function showHistory(call: CommandCall): Promise<number> {
  const { words, terminal } = call;
  const word = oneJob(words, 'history show');
  const place = logPlaceOf(call);
  // Loaded on demand, so that other commands start without a database driver.
  const [{ openLog }, { newestStreams, readStream }, { decodeJobEvent }] = await Promise.all([
    import('./open-log.js'),
    import('@heddle/platform-event-log'),
    import('@heddle/jobs-domain'),
  ]);
  const log = await openLog(place);
  try {
    const id = theOneOf(word.length === 36 ? [] : await newestStreams(log.client, JOBS_SCHEMA, SEARCHED), word);
    const stored = await readStream(log.client, JOBS_SCHEMA, id);
    if (stored.length === 0)
      throw failed(
        `no job ${id} in this log`,
        clusterLogBeside(place.dataDir) ??
          'heddle jobs lists the jobs; --data or HEDDLE_DATABASE_URL names another log',
      );
    for (const event of stored) terminal.printJson(wire(event));
    if (!terminal.json) {
      const entries = stored.map((event) => ({ ...event, event: decoded(event, decodeJobEvent) }));
      for (const line of renderHistory(entries, terminal.width)) terminal.print(line);
    }
    return EXIT.done;
  } finally {
    await log.close();
  }
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

function wire(event: StoredEvent): object {
  return {
    version: event.version,
    type: event.type,
    schema_version: event.schemaVersion,
    recorded_at: event.recordedAt,
    fence: event.fence,
    worker_seq: event.workerSeq,
    correlation_id: event.correlationId,
    data: event.data === null ? null : (JSON.parse(event.data.toString('utf8')) as unknown),
  };
}
