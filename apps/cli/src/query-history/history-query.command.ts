import { open as openFile, writeFile } from 'node:fs/promises';
import type { QuestionProcess, QueryRows } from '@heddle/jobs-history/queries';
import type { Command, CommandCall } from '../command-line/command.js';
import { codedFailure, EXIT, failed } from '../failure.js';
import { LOG_OPTIONS } from '../show-history/log-place.js';
import { Interrupted, longWork } from '../show-history/long-work.js';
import { writingNewFile } from '../show-history/new-file.js';
import { FROM_OPTION, fromOf, readingSource } from '../show-history/open-source.js';
import { withLogFiles } from '../show-history/snapshot-files.js';
import { escapedLines, plainText } from '../terminal/plain-text.js';
import { DEFAULT_MEMORY, DEFAULT_TIMEOUT_S, FORMATS, MARKS, queryOptions } from './query-options.js';
import type { QueryOptions } from './query-options.js';
import { writeRows } from './render-rows.js';

export const historyQueryCommand: Command = {
  name: 'history query',
  summary: 'ask a question in SQL about jobs, attempts, node runs, outputs, workers and accounts',
  words: 'SQL',
  isLocal: true,
  options: {
    ...LOG_OPTIONS,
    from: FROM_OPTION,
    file: { value: 'F.sql', meaning: 'a file with the query, instead of SQL' },
    param: { value: 'k=v', meaning: 'value of $k in the query', multiple: true },
    format: {
      value: 'F',
      meaning: 'table (on a terminal), csv, json (also --json), or a file: parquet, svg, png',
      choices: FORMATS,
    },
    out: { value: 'FILE', meaning: 'a new file for the rows or the chart' },
    chart: { value: 'MARK', meaning: 'mark of a chart: line (the default), bar, area or point', choices: MARKS },
    x: { value: 'COLUMN', meaning: 'column of a chart along its axis (the first that fits)' },
    y: { value: 'COLUMN', meaning: 'column of numbers of a chart (the first that fits)' },
    series: { value: 'COLUMN', meaning: 'column whose values become the series of a chart (the first that fits)' },
    'timeout-s': { value: 'S', meaning: `seconds after which the query is stopped (${DEFAULT_TIMEOUT_S})` },
    memory: { value: 'SIZE', meaning: `memory for the query (${DEFAULT_MEMORY})` },
  },
  examples: [
    "heddle history query --from history 'select status, count(*) from jobs group by all'",
    "heddle history query --param id=JOB 'select * from node_runs where job_id = $id order by position'",
    "heddle history query 'select dt, sum(failed) as failed from accounts_daily group by all' --format svg --out failed.svg",
  ],
  notes: () =>
    Promise.resolve([
      'Relations: events, jobs, attempts, node_runs, outputs, workers, accounts_daily; DESCRIBE jobs lists columns.',
      'On a terminal, columns of a table are cut to its width; --format csv prints them whole.',
      'One SELECT, WITH, VALUES, DESCRIBE, SHOW or EXPLAIN. Without an export, a snapshot of the log is made and removed.',
    ]),
  run: query,
};

async function query(call: CommandCall): Promise<number> {
  const options = await queryOptions(call);
  const from = fromOf(call);
  const [{ QueryError, QuestionProcess }, { ChartError }] = await Promise.all([
    import('@heddle/jobs-history/queries'),
    import('@heddle/jobs-history/charts'),
  ]);
  const asked = new QuestionProcess();
  try {
    await longWork((signal) =>
      readingSource(() =>
        withLogFiles(call, from, signal, (segments) => answer(call, options, asked, segments.flat(), signal)),
      ),
    );
    return EXIT.done;
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.interrupted;
    if (error instanceof ChartError) throw failed(error.message);
    if (!(error instanceof QueryError)) throw error;
    throw codedFailure(error.code, error.message, error.code === 'sql_refused' ? EXIT.usage : EXIT.failed, null);
  } finally {
    await asked.end();
  }
}

async function answer(
  { terminal }: CommandCall,
  options: QueryOptions,
  asking: QuestionProcess,
  files: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { sql, params, timeoutMs, memory, format, out } = options;
  const question = { sql, params, timeoutMs, memory, files, parquet: null };
  if (out !== null) {
    await writingNewFile(out, async (partial) => {
      // The engine writes Parquet itself, with the types of the columns.
      const asked = format === 'parquet' ? { ...question, parquet: partial } : question;
      await asking.ask(asked, signal, (found) => writeAnswer(partial, found, options));
    });
    if (terminal.showsResults && !terminal.json) terminal.print(plainText(out));
    return;
  }
  await asking.ask(question, signal, async (found) => {
    // CSV keeps its line breaks within quotes; nothing else may act on a terminal.
    if (format === 'table' || format === 'csv' || format === 'json')
      await writeRows(found, format, (line) => terminal.print(escapedLines(line).join('\n')), terminal.width);
  });
}

async function writeAnswer(path: string, found: QueryRows, { format, chart, sql }: QueryOptions): Promise<void> {
  if (format === 'parquet') return;
  if (format === 'svg' || format === 'png') {
    const { drawChart } = await import('@heddle/jobs-history/charts');
    return await writeFile(path, await drawChart(found, { ...chart, format, sql }));
  }
  const file = await openFile(path, 'w');
  try {
    await writeRows(found, format, async (line) => void (await file.write(`${line}\n`)));
  } finally {
    await file.close();
  }
}
