import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LogHead } from '@heddle/platform-event-log';
import type { Command, CommandCall } from '../command-line/command.js';
import { codedFailure, EXIT, wrongUsage } from '../failure.js';
import { Interrupted, longWork } from '../show-history/long-work.js';
import { LOG_OPTIONS, logPlaceOf } from '../show-history/log-place.js';
import type { LogPlace } from '../show-history/open-log.js';
import { FROM_OPTION, fromOf } from '../show-history/open-source.js';
import { progressOn } from '../terminal/work-progress.js';
import { reportLine, reportLines } from './render-report.js';
import { verifyStored } from './verify-stored.js';

export const historyVerifyCommand: Command = {
  name: 'history verify',
  summary: 'check that no event was changed or removed, and that the jobs match the log',
  words: '',
  isLocal: true,
  judges: true,
  options: {
    ...LOG_OPTIONS,
    from: FROM_OPTION,
    checkpoints: {
      value: 'FOLDER',
      meaning: 'signed checkpoints kept outside the database (HEDDLE_CHECKPOINTS; checkpoints in the data folder)',
    },
    'public-key': {
      value: 'FILE',
      meaning: 'public key of the checkpoints (key.pub.pem beside HEDDLE_CHECKPOINT_KEY, or in their folder)',
    },
    'after-checkpoint': { value: null, meaning: 'check only the events after the newest trusted checkpoint' },
    head: { value: 'SEQ:CHAIN', meaning: 'a head that an earlier run printed: the log must still contain it' },
    'no-fold': { value: null, meaning: 'check the chain only, not the jobs' },
  },
  examples: [
    'heddle history verify',
    'heddle history verify --after-checkpoint --json',
    'heddle history follow --after 0 --limit 1000 --json | heddle history verify --from -',
    'HEDDLE_DATABASE_URL=postgres://owner:...@db/heddle heddle history verify --checkpoints /var/lib/heddle/checkpoints',
  ],
  notes: () =>
    Promise.resolve([
      'Works while Heddle runs and when it is stopped. Short statements read the log, so that jobs and vacuum continue.',
      'Keep the printed head, or the checkpoint folder, on another machine: it proves later that the log was not rewritten.',
      'Exit code 0: no fault; 1: a fault, printed, or nothing that could be checked; 2: wrong usage, also a folder that holds no log or no checkpoints; 3: the database cannot be reached; 130: interrupted.',
    ]),
  run: verify,
};

async function verify(call: CommandCall): Promise<number> {
  const { words, options, terminal } = call;
  if (words.length > 0)
    throw wrongUsage('history verify takes no arguments', 'heddle history verify --help lists its options');
  const head = headOf(options.text('head'));
  if (fromOf(call) !== null) return await verifyStored(call, head);
  const place = logPlaceOf(call);
  const checkpoints = checkpointFolder(call, place);
  const publicKeyFile = publicKeyOf(call);
  const afterCheckpoint = options.on('after-checkpoint');
  if (checkpoints === null) {
    if (afterCheckpoint)
      throw wrongUsage(
        '--after-checkpoint needs the folder of the checkpoints',
        'name it with --checkpoints FOLDER; a service creates it with its first checkpoint (HEDDLE_CHECKPOINT_S, an hour)',
      );
  }
  const [{ withLog }, { verifyHistory }, { CheckpointFolderError, NoTrustedCheckpointError }] = await Promise.all([
    import('../show-history/open-log.js'),
    import('@heddle/jobs'),
    import('@heddle/platform-event-log'),
  ]);
  const began = performance.now();
  const request = {
    fold: !options.on('no-fold'),
    head,
    checkpoints,
    publicKeyFile,
    afterCheckpoint,
    onProgress: progressOn(terminal),
  };
  try {
    const [report, source] = await longWork((signal) =>
      withLog(place, { longWork: true }, signal, async (log) => {
        if (checkpoints === null)
          terminal.sayWrapped(
            'no checkpoint folder: the log is not compared with checkpoints outside the database (--checkpoints FOLDER)',
            '  ',
          );
        const beside = request.fold && !afterCheckpoint ? await log.another() : null;
        return [await verifyHistory(log.client, { ...request, beside, signal }), log.source] as const;
      }),
    );
    terminal.erase();
    const seconds = Math.round(performance.now() - began) / 1_000;
    terminal.printJson(reportLine(report, source, seconds));
    if (!terminal.json) for (const line of reportLines(report, seconds, terminal)) terminal.print(line);
    return report.faults.length === 0 ? EXIT.done : EXIT.failed;
  } catch (error) {
    terminal.erase();
    if (error instanceof Interrupted) return EXIT.interrupted;
    if (error instanceof CheckpointFolderError)
      throw wrongUsage(error.message, 'check --checkpoints or HEDDLE_CHECKPOINTS');
    if (error instanceof NoTrustedCheckpointError) {
      const message = `${error.message} in ${checkpoints}`;
      throw codedFailure('not_found', message, EXIT.failed, 'run it without --after-checkpoint');
    }
    throw error;
  }
}

function headOf(text: string | null): LogHead | null {
  if (text === null) return null;
  const [, seq, chain] = /^(\d{1,18}):([\da-f]{64})$/i.exec(text) ?? [];
  if (seq === undefined || chain === undefined)
    throw wrongUsage(
      `--head must be SEQ:CHAIN, a number and 64 hex digits, not "${text}"`,
      'an earlier run of history verify printed it',
    );
  return { seq: BigInt(seq), chain: Buffer.from(chain, 'hex') };
}

/** The named folder, or the data folder's own, if it exists. */
function checkpointFolder({ options, env }: CommandCall, { databaseUrl, dataDir }: LogPlace): string | null {
  const named = options.text('checkpoints') ?? (env['HEDDLE_CHECKPOINTS'] || null);
  if (named !== null) return named;
  const own = join(dataDir, 'checkpoints');
  return databaseUrl === null && existsSync(own) ? own : null;
}

/** Null: it is in the folder. */
function publicKeyOf({ options, env }: CommandCall): string | null {
  const privateKey = env['HEDDLE_CHECKPOINT_KEY'] || null;
  return options.text('public-key') ?? (privateKey === null ? null : join(dirname(privateKey), 'key.pub.pem'));
}
