import { resolve } from 'node:path';
import type { SourceReport, VerifySourceOptions } from '@heddle/jobs-history';
import type { LogHead } from '@heddle/platform-event-log';
import type { CommandCall } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { Interrupted, longWork } from '../show-history/long-work.js';
import { readingSource } from '../show-history/open-source.js';
import { reportLine, reportLines } from './render-report.js';

const TELL_EVERY_MS = 200;
/** Options about what is kept beside a database. */
const OF_A_DATABASE = ['checkpoints', 'public-key'] as const;

/** Verifies a log outside a database. */
export async function verifyStored(call: CommandCall, head: LogHead | null): Promise<number> {
  const { options, terminal } = call;
  for (const name of OF_A_DATABASE)
    if (options.text(name) !== null) throw wrongUsage(`--${name} needs a database, and --from names none`);
  if (options.on('after-checkpoint')) throw wrongUsage('--after-checkpoint needs a database, and --from names none');
  const from = String(options.text('from'));
  const fold = !options.on('no-fold');
  const began = performance.now();
  let toldAt = began;
  const onProgress = ({ events }: { readonly events: bigint }): void => {
    const now = performance.now();
    if (now - toldAt < TELL_EVERY_MS) return;
    toldAt = now;
    terminal.draw([`verify: ${events} events ${Math.round((Number(events) / (now - began)) * 1_000)}/s`]);
  };
  try {
    const found = await longWork((signal) => readingSource(() => reportOf(from, { fold, head, signal, onProgress })));
    terminal.erase();
    const seconds = Math.round(performance.now() - began) / 1_000;
    const report = { ...found, readModel: 'not_checked' } as const;
    terminal.printJson(reportLine(report, from === '-' ? from : resolve(from), seconds));
    if (!terminal.json) for (const line of reportLines(report, seconds, terminal)) terminal.print(line);
    return found.faults.length === 0 ? EXIT.done : EXIT.failed;
  } catch (error) {
    terminal.erase();
    if (error instanceof Interrupted) return EXIT.interrupted;
    throw error;
  }
}

async function reportOf(from: string, options: VerifySourceOptions): Promise<SourceReport> {
  if (from === '-') {
    const { LinesSource, verifySource } = await import('@heddle/jobs-history');
    return await verifySource(new LinesSource(process.stdin), options);
  }
  const { ExportFolder, verifyExport } = await import('@heddle/jobs-history/exports');
  return await verifyExport(new ExportFolder(from), options);
}
