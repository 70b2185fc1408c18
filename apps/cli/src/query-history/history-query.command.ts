import { rmSync } from 'node:fs';
import { mkdtemp, open as openFile, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportFolder, QueryOptions } from '@heddle/jobs-history/exports';
import type { ExportManifest } from '@heddle/jobs-history';
import type { Command, CommandCall } from '../command-line/command.js';
import { codedFailure, EXIT, failed, wrongUsage } from '../failure.js';
import { LOG_OPTIONS, logPlaceOf } from '../show-history/log-place.js';
import { Interrupted, longWork } from '../show-history/long-work.js';
import { FROM_OPTION, fromOf, readingSource } from '../show-history/open-source.js';
import { escapedLines } from '../terminal/plain-text.js';
import { writeRows, type RowFormat } from './render-rows.js';

const DEFAULT_TIMEOUT_S = 60;
const MAX_TIMEOUT_S = 3_600;
const DEFAULT_MEMORY = '400MB';
const FORMATS: readonly RowFormat[] = ['table', 'csv', 'json'];
const SNAPSHOT_SEGMENT = 250_000;

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
    format: { value: 'F', meaning: 'table (on a terminal), csv or json; --json is --format json', choices: FORMATS },
    out: { value: 'FILE', meaning: 'a new file for the rows' },
    'timeout-s': { value: 'S', meaning: `seconds after which the query is stopped (${DEFAULT_TIMEOUT_S})` },
    memory: { value: 'SIZE', meaning: `memory for the query (${DEFAULT_MEMORY})` },
  },
  examples: [
    "heddle history query --from history 'select status, count(*) from jobs group by all'",
    "heddle history query --param id=JOB 'select * from node_runs where job_id = $id order by position'",
  ],
  notes: () =>
    Promise.resolve([
      'Relations: events, jobs, attempts, node_runs, outputs, workers, accounts_daily; DESCRIBE jobs lists columns.',
      'One SELECT, WITH, VALUES, DESCRIBE, SHOW or EXPLAIN. Without --from, a snapshot of the log is made and removed.',
    ]),
  run: query,
};

async function query(call: CommandCall): Promise<number> {
  const { options, terminal } = call;
  const sql = await sqlOf(call);
  const format = formatOf(call);
  const limits = { sql, params: paramsOf(call), timeoutMs: timeoutOf(call), memory: memoryOf(call) };
  const from = fromOf(call);
  if (from === '-') throw wrongUsage('history query cannot read event lines', 'give a database or an export');
  const out = options.text('out');
  const { QueryError } = await import('@heddle/jobs-history/exports');
  try {
    await longWork((signal) =>
      readingSource(() =>
        withExport(call, from, signal, async (folder, manifest) => {
          await ask(folder, manifest, { ...limits, signal }, { format, out, terminal });
        }),
      ),
    );
    return EXIT.done;
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.interrupted;
    if (!(error instanceof QueryError)) throw error;
    throw codedFailure(error.code, error.message, error.code === 'sql_refused' ? EXIT.usage : EXIT.failed, null);
  }
}

type Use = (folder: ExportFolder, manifest: ExportManifest | null) => Promise<void>;

/** The named export, or one that is made of the database for this question and removed. */
async function withExport(call: CommandCall, from: string | null, signal: AbortSignal, use: Use): Promise<void> {
  const { checkedManifest, ExportFolder, exportHistory } = await import('@heddle/jobs-history/exports');
  if (from !== null) {
    const folder = new ExportFolder(from);
    return await use(folder, await checkedManifest(folder));
  }
  const { openLog } = await import('../show-history/open-log.js');
  const out = await mkdtemp(join(tmpdir(), 'heddle-history-'));
  // Also where the process ends at once, as when nobody reads its output any more.
  const remove = (): void => rmSync(out, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const log = await openLog(logPlaceOf(call), { longWork: true, asAnalyst: true });
    try {
      await exportHistory(log.client, { out, until: null, segment: SNAPSHOT_SEGMENT, redact: false, signal });
    } finally {
      await log.close();
    }
    const folder = new ExportFolder(out);
    await use(folder, await folder.manifest());
  } finally {
    process.off('exit', remove);
    remove();
  }
}

interface Answer {
  readonly format: RowFormat;
  readonly out: string | null;
  readonly terminal: CommandCall['terminal'];
}

/** The file is made once the query has begun to answer, and removed if it fails: a refused one writes nothing. */
async function ask(
  folder: ExportFolder,
  manifest: ExportManifest | null,
  options: QueryOptions,
  { format, out, terminal }: Answer,
): Promise<void> {
  const { queryExport } = await import('@heddle/jobs-history/exports');
  await queryExport(folder, manifest, options, async (found) => {
    if (out === null) {
      // CSV keeps its line breaks within quotes; nothing else may act on a terminal.
      await writeRows(found, format, (line) => terminal.print(escapedLines(line).join('\n')));
      return;
    }
    const file = await openFile(out, 'wx').catch((error: unknown) => {
      throw failed(`${out} cannot be written: ${(error as Error).message}`, 'name a new file with --out');
    });
    try {
      await writeRows(found, format, async (line) => void (await file.write(`${line}\n`)));
    } catch (error) {
      await rm(out, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  });
}

async function sqlOf({ words, options }: CommandCall): Promise<string> {
  const file = options.text('file');
  if ((file === null) === (words.length === 0) || words.length > 1)
    throw wrongUsage('history query takes one query, as a word or with --file', "for example 'select * from jobs'");
  return file === null ? (words[0] ?? '') : await readFile(file, 'utf8');
}

function formatOf({ options, terminal }: CommandCall): RowFormat {
  const format = options.text('format');
  if (terminal.json && format !== null && format !== 'json')
    throw wrongUsage(`--json and --format ${format} contradict`);
  if (format === null) return terminal.json ? 'json' : terminal.showsResults ? 'table' : 'csv';
  const known = FORMATS.find((one) => one === format);
  if (known !== undefined) return known;
  throw wrongUsage(`--format ${format} is not available in this version`, `formats: ${FORMATS.join(', ')}`);
}

function paramsOf({ options }: CommandCall): Record<string, string> {
  return Object.fromEntries(
    options.all('param').map((text) => {
      const [, name, value] = /^([A-Za-z_]\w{0,62})=([\s\S]*)$/.exec(text) ?? [];
      if (name === undefined || value === undefined)
        throw wrongUsage(`--param must be k=v, not "${text}"`, 'for example --param id=JOB, and $id in the query');
      return [name, value];
    }),
  );
}

function timeoutOf({ options }: CommandCall): number {
  const text = options.text('timeout-s');
  const seconds = text === null ? DEFAULT_TIMEOUT_S : Number(text);
  if (Number.isFinite(seconds) && seconds > 0 && seconds <= MAX_TIMEOUT_S) return Math.ceil(seconds * 1_000);
  throw wrongUsage(`--timeout-s must be a number of seconds up to ${MAX_TIMEOUT_S}, not "${text}"`);
}

function memoryOf({ options }: CommandCall): string {
  const text = options.text('memory') ?? DEFAULT_MEMORY;
  if (/^[1-9]\d{0,5}(?:MB|MiB|GB|GiB)$/.test(text)) return text;
  throw wrongUsage(`--memory must be a size, not "${text}"`, `for example --memory ${DEFAULT_MEMORY}`);
}
