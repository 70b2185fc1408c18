import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FoldSkips, JobDifference, OtherEvolve } from '@heddle/jobs-history';
import type { Command, CommandCall } from '../command-line/command.js';
import { codedFailure, EXIT, failed, wrongUsage } from '../failure.js';
import { LOG_OPTIONS } from '../show-history/log-place.js';
import { FROM_OPTION } from '../show-history/open-source.js';
import { plainText } from '../terminal/plain-text.js';
import { counted } from '../terminal/quantities.js';
import type { Terminal } from '../terminal/terminal.js';
import { wholeId } from './history-as-of.command.js';
import { readPosition, travel, TravelDoubts } from './travel-source.js';

export const historyDiffCommand: Command = {
  name: 'history diff',
  summary: 'what changed between two positions of the log, or between the folds of two builds',
  words: 'A B [JOB]',
  isLocal: true,
  judges: true,
  options: {
    ...LOG_OPTIONS,
    from: FROM_OPTION,
    fold: {
      value: 'FILE.mjs',
      meaning: "instead of positions: run this module and fold the log with its 'evolve' too",
    },
  },
  examples: ['heddle history diff 1200 1300', 'heddle history diff --fold other-build/evolve.mjs'],
  notes: () =>
    Promise.resolve([
      'Two positions: exit code 0 even if they differ. --fold: exit code 1 if the folds differ.',
      '--fold runs the code of the file.',
    ]),
  run: diff,
};

async function diff(call: CommandCall): Promise<number> {
  const { words, options } = call;
  const fold = options.text('fold');
  if (fold === null) return await diffPositions(call);
  if (words.length > 0) throw wrongUsage('--fold compares two builds over the whole log and takes no positions');
  return await diffWith(call, await evolveOf(fold));
}

async function diffPositions(call: CommandCall): Promise<number> {
  const { words, terminal } = call;
  if (words.length === 0)
    throw wrongUsage('history diff needs two positions', 'for example heddle history diff 1200 1300');
  const before = await readPosition(words[0], 'history diff');
  if (words[1] === undefined)
    throw wrongUsage('history diff needs a second position', `for example heddle history diff ${words[0]} 1300`);
  const after = await readPosition(words[1], 'history diff');
  const job = words.length < 3 ? null : wholeId(words.slice(2), 'history diff A B');
  const { diffJob, jobAtPosition } = await import('@heddle/jobs-history');
  return await travel(call, async (log, signal) => {
    const [placeA, placeB] = [await log.place(before), await log.place(after)];
    const counts = { added: 0, removed: 0, changed: 0 };
    const doubts = new TravelDoubts();
    for await (const events of log.jobs(job, signal)) {
      const [a, b] = [jobAtPosition(events, before), jobAtPosition(events, after)];
      doubts.note(b.unusable === null && !b.isRedacted ? a : b);
      const difference = diffJob(events[0]!.streamId, a.job, b.job);
      if (difference === null) continue;
      counts[difference.change] += 1;
      print(terminal, difference);
    }
    terminal.erase();
    terminal.printJson({ seq_a: Number(placeA.seq), seq_b: Number(placeB.seq), ...counts });
    if (!terminal.json)
      terminal.print(
        `seq ${placeA.seq} to ${placeB.seq}: ${counts.added} added, ${counts.removed} removed, ${counts.changed} changed`,
      );
    doubts.tell(terminal);
    return EXIT.done;
  });
}

function print(terminal: Terminal, difference: JobDifference): void {
  terminal.erase();
  terminal.printJson(difference);
  if (terminal.json) return;
  terminal.print(plainText(`${difference.change} ${difference.job_id}`));
  if (difference.change !== 'changed') return;
  for (const [field, [was, is]] of Object.entries(difference.fields))
    terminal.print(plainText(`  ${field}: ${JSON.stringify(was)} -> ${JSON.stringify(is)}`));
}

async function diffWith(call: CommandCall, evolve: OtherEvolve): Promise<number> {
  const { terminal } = call;
  const { diffFolds } = await import('@heddle/jobs-history');
  return await travel(call, async (log, signal) => {
    const skips = { redacted: 0, undecodable: 0, first: null };
    let differences = 0;
    for await (const difference of diffFolds(log.jobs(null, signal), evolve, skips)) {
      differences += 1;
      terminal.erase();
      terminal.printJson(difference);
      const { job_id: id, version, field, here, there } = difference;
      if (!terminal.json)
        terminal.print(
          plainText(
            `job ${id} version ${version}: ${field} is ${JSON.stringify(here)} here, ${JSON.stringify(there)} there`,
          ),
        );
    }
    terminal.erase();
    if (!terminal.json && differences === 0) terminal.print('both builds fold the log alike');
    assertCompared(terminal, skips);
    return differences === 0 ? EXIT.done : EXIT.failed;
  });
}

/** Says what was not compared; an event that this build cannot decode is a failure. */
function assertCompared(terminal: Terminal, { redacted, undecodable, first }: FoldSkips): void {
  if (redacted > 0)
    terminal.say(`${counted(redacted, 'job')} compared only up to a payload that was purged or left out`);
  if (undecodable === 0) return;
  throw codedFailure(
    'unknown_event',
    `${counted(undecodable, 'job')} compared only up to an event that this build cannot decode; the first: ${first}`,
    EXIT.failed,
    'heddle history verify names every event of this kind',
  );
}

async function evolveOf(file: string): Promise<OtherEvolve> {
  if (!file.endsWith('.mjs')) throw wrongUsage(`--fold takes a module, FILE.mjs, not "${file}"`);
  let loaded: { readonly evolve?: unknown };
  try {
    loaded = (await import(pathToFileURL(resolve(file)).href)) as { readonly evolve?: unknown };
  } catch (error) {
    throw failed(`${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof loaded.evolve !== 'function')
    throw failed(`${file} exports no function evolve`, 'it must export evolve(state, recorded)');
  return loaded.evolve as OtherEvolve;
}
