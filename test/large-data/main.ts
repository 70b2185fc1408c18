// `npm run large-data -- --jobs N --accounts N --deployments N`: writes many jobs in the product's format. --measure: timings.
import { HELP, readArguments } from './arguments.ts';
import type { Arguments } from './arguments.ts';
import { loadLargeData } from './load.ts';
import { openTarget, TargetRefused } from './open-target.ts';
import { slopeTable } from './slope-table.ts';
import type { LargeDataOptions } from './write-jobs.ts';

/** Exit codes of the CLI */
const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

process.exitCode = await run();

async function run(): Promise<number> {
  let given: Arguments;
  try {
    given = readArguments(process.argv.slice(2));
  } catch (error) {
    return refuse(messageOf(error), EXIT.usage);
  }
  try {
    switch (given.kind) {
      case 'help':
        process.stdout.write(HELP);
        return EXIT.done;
      case 'write':
        return await write(given.options, given.json);
      case 'measure': {
        // Loaded on demand, so that writing starts without the services.
        const { measureSlopes } = await import('./slopes.ts');
        const columns = await measureSlopes(given.options, (line) => process.stderr.write(`${line}\n`));
        const sizes = [0, ...given.options.sizes];
        console.log(given.json ? JSON.stringify({ sizes, columns }) : slopeTable(sizes, columns));
        return EXIT.done;
      }
    }
  } catch (error) {
    if (error instanceof TargetRefused) return refuse(error.message, error.exitCode);
    return refuse(`writing failed: ${messageOf(error)}; batches that are written stay, each whole`, EXIT.failed);
  }
}

async function write(options: LargeDataOptions, json: boolean): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const target = await openTarget(process.env);
  try {
    const report = await loadLargeData(target, options, { signal: stop.signal, written: progressOf(options.jobs) });
    const interrupted = stop.signal.aborted;
    const { jobs, events, seconds } = report;
    const rate = Math.round(jobs / seconds);
    if (json) console.log(JSON.stringify({ ...report, rate, seed: options.seed, interrupted }));
    else console.log(`${jobs} jobs with ${events} events in ${seconds} s, ${rate} jobs/s (seed ${options.seed})`);
    return interrupted ? EXIT.interrupted : EXIT.done;
  } finally {
    await target.close();
  }
}

function refuse(message: string, code: number): number {
  process.stderr.write(`large-data: ${message}\n`);
  return code;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A progress line on a terminal; nothing elsewhere. */
function progressOf(jobs: number): (written: number) => void {
  if (!process.stderr.isTTY) return () => undefined;
  return (written) =>
    process.stderr.write(`\r\x1b[2K${written} of ${jobs} jobs${written === jobs ? ', numbering events\n' : ''}`);
}
