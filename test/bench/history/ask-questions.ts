import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Sample } from '../rows.ts';
import { runHistory } from './run-command.ts';

const PAGES = resolve(import.meta.dirname, '../../../docs/analysis');
/** The pages ask about minutes. Over a log of weeks, as they advise, buckets are hours and days. */
const OF_WEEKS = [
  [`interval '10 seconds'`, `interval '1 hour'`],
  ['5000', '3600000'],
  [`interval '30 seconds'`, `interval '24 hours'`],
  ['to_minutes', 'to_days'],
] as const;

/**
 * Asks the ten worked questions of an export; the slowest and the largest count. A question that reads nothing takes the start
 * of the command and the digests of all files.
 */
export async function askQuestions(folder: string): Promise<Sample> {
  const start = Math.min(...[await readNothing(folder), await readNothing(folder)]);
  process.stderr.write(`  a question that reads nothing: ${start.toFixed(0)} ms\n`);
  let [ms, mib] = [0, 0];
  const pages = (await readdir(PAGES)).filter((name) => /^\d\d-.*\.md$/.test(name)).sort();
  for (const page of pages) {
    const text = await readFile(join(PAGES, page), 'utf8');
    let sql = /```sql\n([^]*?)\n```/.exec(text)![1]!;
    for (const [minutes, weeks] of OF_WEEKS) sql = sql.replaceAll(minutes, weeks);
    const asked = await runHistory(['query', '--from', folder, '--json', sql]).catch((error: unknown) => {
      process.stderr.write(`  ${page}: ${String(error).trimEnd().split('\n').at(-1)}\n`);
      return null;
    });
    if (asked !== null)
      process.stderr.write(
        `  ${page}: ${asked.milliseconds.toFixed(0)} ms, CPU ${(asked.cpuMs + asked.childCpuMs).toFixed(0)} ms, ${asked.childMib.toFixed(0)} MiB\n`,
      );
    // A question that was refused for its memory or time has missed both bars.
    ms = Math.max(ms, asked?.milliseconds ?? Number.POSITIVE_INFINITY);
    mib = Math.max(mib, asked?.childMib ?? Number.POSITIVE_INFINITY);
  }
  return { 'question.ms': ms, 'question-start.ms': start, 'question.mib': mib };
}

async function readNothing(folder: string): Promise<number> {
  return (await runHistory(['query', '--from', folder, '--json', 'select 1 as one'])).milliseconds;
}
