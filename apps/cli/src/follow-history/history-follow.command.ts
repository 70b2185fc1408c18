import type { SequencedEvent } from '@heddle/platform-event-log';
import type { Command, CommandCall } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { oneJob } from '../list-jobs/job-id.js';
import { LOG_OPTIONS, logPlaceOf } from '../show-history/log-place.js';
import { Interrupted, longWork } from '../show-history/long-work.js';
import { plainText } from '../terminal/plain-text.js';

export const historyFollowCommand: Command = {
  name: 'history follow',
  summary: 'the events of all jobs as they get their numbers, in order',
  words: '',
  isLocal: true,
  options: {
    ...LOG_OPTIONS,
    after: { value: 'SEQ', meaning: 'begin behind this sequence number; 0 is the whole log (from now on)' },
    type: { value: 'A,B', meaning: 'only these event types' },
    job: { value: 'JOB', meaning: 'only this job' },
    limit: { value: 'N', meaning: 'end after this many events' },
  },
  examples: ['heddle history follow', 'heddle history follow --after 0 --type JobFailed --limit 10 --json'],
  notes: () => Promise.resolve(['Ends with exit code 0 on Ctrl-C. No event is printed twice.']),
  run: follow,
};

interface Wanted {
  /** Null: from now on. */
  readonly after: bigint | null;
  readonly types: ReadonlySet<string> | null;
  readonly job: string | null;
  readonly limit: number;
}

async function follow(call: CommandCall): Promise<number> {
  const { words, terminal } = call;
  if (words.length > 0) throw wrongUsage('history follow takes no arguments', '--job JOB follows one job');
  const wanted = await wantedOf(call);
  const [{ withLog }, { eventLine, followLog }] = await Promise.all([
    import('../show-history/open-log.js'),
    import('@heddle/jobs-history'),
  ]);
  let left = wanted.limit;
  const print = (event: SequencedEvent): void => {
    terminal.printJson(eventLine(event));
    if (!terminal.json)
      terminal.print(plainText(`${event.seq} ${event.recordedAt} ${event.streamId} ${event.version} ${event.type}`));
  };
  try {
    await longWork((signal) =>
      withLog(logPlaceOf(call), { longWork: true, asAnalyst: true }, signal, async ({ client }) => {
        for await (const event of followLog(client, wanted.after, signal)) {
          if (wanted.types !== null && !wanted.types.has(event.type)) continue;
          if (wanted.job !== null && wanted.job !== event.streamId) continue;
          print(event);
          left -= 1;
          if (left === 0) return;
        }
      }),
    );
    return EXIT.done;
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.done;
    throw error;
  }
}

async function wantedOf({ options }: CommandCall): Promise<Wanted> {
  const after = numberOf(options.text('after'), 'after', 0);
  const limit = numberOf(options.text('limit'), 'limit', 1);
  const job = options.text('job');
  const types = options.text('type')?.split(',') ?? null;
  if (types !== null) {
    const { JOB_EVENT_TYPES } = await import('@heddle/jobs-domain');
    for (const type of types)
      if (!(JOB_EVENT_TYPES as readonly string[]).includes(type))
        throw wrongUsage(`--type: unknown event type "${type}"`, `types: ${JOB_EVENT_TYPES.join(', ')}`);
  }
  if (job !== null && oneJob([job], 'history follow --job').length !== 36)
    throw wrongUsage(`--job takes a whole job id, not "${job}"`, 'heddle history show prints it with --json');
  return {
    after: after === null ? null : BigInt(after),
    types: types === null ? null : new Set(types),
    job: job?.toLowerCase() ?? null,
    limit: limit ?? Number.POSITIVE_INFINITY,
  };
}

function numberOf(text: string | null, name: string, least: number): number | null {
  if (text === null) return null;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least)
    throw wrongUsage(`--${name} must be a whole number of ${least} or more, not "${text}"`);
  return value;
}
