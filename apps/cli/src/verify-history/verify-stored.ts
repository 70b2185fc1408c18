import type { SourceReport, VerifySourceOptions } from '@heddle/jobs-history';
import type { LogHead } from '@heddle/platform-event-log';
import type { CommandCall } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { withExportPlace } from '../show-history/export-place.js';
import { Interrupted, longWork } from '../show-history/long-work.js';
import { readingSource, standardInput } from '../show-history/open-source.js';
import { counted } from '../terminal/quantities.js';
import { progressOn } from '../terminal/work-progress.js';
import { reportLine, reportLines } from './render-report.js';

/** Options about what is kept beside a database. */
const OF_A_DATABASE = ['checkpoints', 'public-key'] as const;

interface FetchedEvents {
  readonly events: number;
  readonly total: number;
}

/** Verifies a log outside a database. */
export async function verifyStored(call: CommandCall, head: LogHead | null): Promise<number> {
  const { options, terminal } = call;
  for (const name of OF_A_DATABASE)
    if (options.text(name) !== null) throw wrongUsage(`--${name} needs a database, and --from names none`);
  if (options.on('after-checkpoint')) throw wrongUsage('--after-checkpoint needs a database, and --from names none');
  const from = String(options.text('from'));
  const fold = !options.on('no-fold');
  const began = performance.now();
  const tell = progressOn(terminal);
  // The number of event lines is unknown.
  let total: number | null = null;
  const onProgress = ({ events }: { readonly events: bigint }): void => tell({ phase: 'verify', events, total });
  const onFetched = (progress: FetchedEvents): void => {
    total = progress.total;
    tell({ phase: 'check', ...progress });
  };
  try {
    const [found, source] = await longWork((signal) =>
      readingSource(() => reportOf(call, from, { fold, head, signal, onProgress, onFetched })),
    );
    terminal.erase();
    const seconds = Math.round(performance.now() - began) / 1_000;
    const report = { ...found, readModel: 'not_checked' } as const;
    terminal.printJson(reportLine(report, source, seconds));
    if (!terminal.json) for (const line of reportLines(report, seconds, terminal)) terminal.print(line);
    if (found.unfolded > 0)
      terminal.say(
        `${counted(found.unfolded, 'job')} checked by digest, order and type alone: a payload is purged, left out or unreadable`,
      );
    return found.faults.length === 0 ? EXIT.done : EXIT.failed;
  } catch (error) {
    terminal.erase();
    if (error instanceof Interrupted) return EXIT.interrupted;
    throw error;
  }
}

/** The report, and the name of what was verified. */
async function reportOf(
  call: CommandCall,
  from: string,
  { onFetched, ...options }: VerifySourceOptions & { readonly onFetched: (progress: FetchedEvents) => void },
): Promise<readonly [SourceReport, string]> {
  if (from === '-') {
    const { verifySource } = await import('@heddle/jobs-history');
    const { source, close } = await standardInput();
    return [await verifySource(source, options).finally(close), from];
  }
  const { verifyExport } = await import('@heddle/jobs-history/exports');
  return await withExportPlace(call, from, async (place) => [
    await verifyExport(place, options, onFetched),
    place.name,
  ]);
}
