import type { LogHead } from '@heddle/platform-event-log';
import type { CommandCall } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { Interrupted, longWork } from '../show-history/long-work.js';
import { openSource, readingLines } from '../show-history/open-source.js';
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
  const { verifySource } = await import('@heddle/jobs-history');
  const open = await openSource(call);
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
    const found = await longWork((signal) =>
      readingLines(() => verifySource(open.source, { fold, head, signal, onProgress })),
    );
    terminal.erase();
    const seconds = Math.round(performance.now() - began) / 1_000;
    const report = { ...found, readModel: 'not_checked' } as const;
    terminal.printJson(reportLine(report, open.source.name, seconds));
    if (!terminal.json) for (const line of reportLines(report, seconds, terminal)) terminal.print(line);
    return found.faults.length === 0 ? EXIT.done : EXIT.failed;
  } catch (error) {
    terminal.erase();
    if (error instanceof Interrupted) return EXIT.interrupted;
    throw error;
  } finally {
    await open.close();
  }
}
