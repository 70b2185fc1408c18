import { readFile } from 'node:fs/promises';
import type { ChartMark } from '@heddle/jobs-history/charts';
import type { CommandCall } from '../command-line/command.js';
import { EXIT, codedFailure, wrongUsage } from '../failure.js';
import { unreadableText } from '../file-error.js';
import type { RowFormat } from './render-rows.js';

type QueryFormat = RowFormat | 'parquet' | 'svg' | 'png';

export const FORMATS: readonly QueryFormat[] = ['table', 'csv', 'json', 'parquet', 'svg', 'png'];
/** Bytes of a file: not for a terminal or a pipe of lines. */
const NEED_FILE: ReadonlySet<QueryFormat> = new Set(['parquet', 'svg', 'png']);
export const MARKS: readonly ChartMark[] = ['line', 'bar', 'area', 'point'];
export const DEFAULT_TIMEOUT_S = 60;
export const DEFAULT_MEMORY = '400MB';
const MAX_TIMEOUT_S = 3_600;
/** A larger text is not a query that a person wrote; the engine's parser would hold a multiple of it. */
const MAX_SQL_CHARACTERS = 1_000_000;
const MAX_PARAMS = 1_000;

export interface QueryOptions {
  readonly sql: string;
  readonly params: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly memory: string;
  readonly format: QueryFormat;
  readonly out: string | null;
  readonly chart: ChartChoice;
}

interface ChartChoice {
  readonly mark: ChartMark;
  readonly x: string | null;
  readonly y: string | null;
  readonly series: string | null;
}

export async function queryOptions(call: CommandCall): Promise<QueryOptions> {
  const out = call.options.text('out');
  const format = formatOf(call);
  if (out === '') throw wrongUsage('--out names no file', 'for example --out rows.csv');
  if (out === null && NEED_FILE.has(format))
    throw wrongUsage(`--format ${format} needs a file`, `for example --out answer.${format}`);
  return {
    sql: await sqlOf(call),
    params: paramsOf(call),
    timeoutMs: timeoutOf(call),
    memory: memoryOf(call),
    format,
    out,
    chart: chartOf(call, format),
  };
}

async function sqlOf({ words, options }: CommandCall): Promise<string> {
  const file = options.text('file');
  if ((file === null) === (words.length === 0) || words.length > 1)
    throw wrongUsage('history query takes one query, as a word or with --file', "for example 'select * from jobs'");
  const sql = file === null ? (words[0] ?? '') : await readText(file);
  if (sql.length <= MAX_SQL_CHARACTERS) return sql;
  const message = `the query has ${sql.length} characters, and up to ${MAX_SQL_CHARACTERS} are read`;
  throw codedFailure('sql_refused', message, EXIT.usage, null);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw wrongUsage(unreadableText(file, error));
  }
}

function formatOf({ options, terminal }: CommandCall): QueryFormat {
  const format = options.text('format');
  if (terminal.json && format !== null && format !== 'json')
    throw wrongUsage(`--json and --format ${format} contradict`);
  if (format === null) return terminal.json ? 'json' : terminal.showsResults ? 'table' : 'csv';
  const known = FORMATS.find((one) => one === format);
  if (known !== undefined) return known;
  throw wrongUsage(`--format must be one of ${FORMATS.join(', ')}, not "${format}"`);
}

function chartOf({ options }: CommandCall, format: QueryFormat): ChartChoice {
  const given = ['chart', 'x', 'y', 'series'].find((name) => options.text(name) !== null);
  if (given !== undefined && format !== 'svg' && format !== 'png')
    throw wrongUsage(`--${given} is for charts`, 'add --format svg or --format png');
  const text = options.text('chart') ?? 'line';
  const mark = MARKS.find((one) => one === text);
  if (mark === undefined) throw wrongUsage(`--chart must be one of ${MARKS.join(', ')}, not "${text}"`);
  return { mark, x: options.text('x'), y: options.text('y'), series: options.text('series') };
}

function paramsOf({ options }: CommandCall): Record<string, string> {
  const given = options.all('param');
  if (given.length > MAX_PARAMS) throw wrongUsage(`--param may be given up to ${MAX_PARAMS} times`);
  const params = new Map<string, string>();
  for (const text of given) {
    const [, name, value] = /^([A-Za-z_]\w{0,62})=([\s\S]*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw wrongUsage(`--param must be k=v, not "${text}"`, 'for example --param id=JOB, and $id in the query');
    if (params.has(name)) throw wrongUsage(`--param ${name} is given twice`);
    params.set(name, value);
  }
  return Object.fromEntries(params);
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
