/** One row of the table: a quantity of the product, a floor of the same run, and the limit on their ratio */
export interface Row {
  readonly id: string;
  readonly quantity: string;
  readonly unit: string;
  readonly product: string;
  readonly floor: string;
  /**
   * lower: the ratio is at most the bar; higher: at least the bar; add: the product exceeds the floor by at most the bar;
   * least: the product is at least the bar.
   */
  readonly better: 'lower' | 'higher' | 'add' | 'least';
  readonly bar: number;
  /** Rates use the best round, everything else the median. */
  readonly statistic: 'median' | 'best';
}

const lower = (id: string, quantity: string, unit: string, product: string, floor: string, bar: number): Row => ({
  id,
  quantity,
  unit,
  product,
  floor,
  bar,
  better: 'lower',
  statistic: 'median',
});
const higher = (id: string, quantity: string, unit: string, product: string, floor: string, bar: number): Row => ({
  id,
  quantity,
  unit,
  product,
  floor,
  bar,
  better: 'higher',
  statistic: 'best',
});

/** A quantity without a floor: at most the bar. */
const most = (id: string, quantity: string, unit: string, product: string, bar: number): Row => ({
  id,
  quantity,
  unit,
  product,
  floor: 'none',
  bar,
  better: 'add',
  statistic: 'median',
});

/** A quantity without a floor: at least the bar. */
const least = (id: string, quantity: string, unit: string, product: string, bar: number): Row => ({
  id,
  quantity,
  unit,
  product,
  floor: 'none',
  bar,
  better: 'least',
  statistic: 'best',
});

/** Milliseconds above the floor. */
const adds = (id: string, quantity: string, product: string, floor: string, bar: number): Row => ({
  id,
  quantity,
  unit: 'ms',
  product,
  floor,
  bar,
  better: 'add',
  statistic: 'median',
});

export const ROWS: readonly Row[] = [
  lower('S1', 'CPU of a durable submission, 64 connections', 'us', 'submit.cpu', 'http-four-rows-coalesced.cpu', 2.4),
  higher('S2', 'rate of the same', '1/s', 'submit.rate', 'http-four-rows-coalesced.rate', 0.4),
  higher('S3', 'the same beside four raw inserts', '1/s', 'submit.rate', 'four-inserts.rate', 1),
  higher('S4', 'the same beside pg-boss (its own process, one row a job)', '1/s', 'submit.rate', 'pg-boss.rate', 1.2),
  higher('S4b', 'the same beside graphile-worker', '1/s', 'submit.rate', 'graphile-worker.rate', 1.2),
  lower('S5a', 'p50 of a submission, 1 connection', 'ms', 'submit1.p50', 'http-four-rows-cte1.p50', 2.5),
  lower('S5b', 'p99 of the same', 'ms', 'submit1.p99', 'http-four-rows-cte1.p99', 3),
  lower('S6', 'p99 of a submission, 64 connections', 'ms', 'submit.p99', 'http-four-rows-coalesced.p99', 2),
  higher('S7', 'refused submissions (invalid graph)', '1/s', 'refused.rate', 'nest-noop.rate', 0.4),
  higher('S7b', 'refused submissions (key claimed before)', '1/s', 'reused.rate', 'nest-noop.rate', 0.4),
  lower('S8', 'CPU to parse and validate 50 nodes', 'us', 'validate50.us', 'parse50.us', 2.5),
  lower('S8b', 'the same, 5,000 nodes', 'us', 'validate5000.us', 'parse5000.us', 2.2),
  lower('D1a', 'call of a lone submission to worker start, p50', 'ms', 'start.p50', 'listen-claim.p50', 2),
  lower('D1b', 'the same, p99', 'ms', 'start.p99', 'listen-claim.p99', 2),
  lower('D1c', 'CPU of the same, client and database', 'us', 'start.cpu', 'listen-claim.cpu', 2.5),
  lower('E1', 'frame to 1,000 streams of one job, p99', 'ms', 'sse1000.p99', 'sse-floor1000.p99', 2),
  lower('E1b', 'frame to 5,000 streams of one job, p99', 'ms', 'sse5000.p99', 'sse-floor5000.p99', 2),
  lower('E2', 'server CPU of a delivered frame, 5,000 streams', 'us', 'sse5000.cpu', 'sse-floor5000.cpu', 2),
  {
    id: 'E3',
    quantity: 'memory of an idle stream of 5,000',
    unit: 'KiB',
    product: 'sse5000.kib',
    floor: 'none',
    better: 'add',
    bar: 32,
    statistic: 'median',
  },
  higher('U1', 'upload of 100 MiB, 1 at a time', 'MB/s', 'upload1.rate', 'upload-floor1.rate', 0.5),
  higher('U1b', 'the same, 4 at a time', 'MB/s', 'upload4.rate', 'upload-floor4.rate', 0.5),
  lower('U2', 'server CPU of 100 MB', 'ms', 'upload1.cpu', 'upload-floor1.cpu', 1.8),
  {
    id: 'U3',
    quantity: 'peak memory of the same, 4 at a time',
    unit: 'MiB',
    product: 'upload4.peak',
    floor: 'upload-floor4.peak',
    better: 'add',
    bar: 96,
    statistic: 'median',
  },
  adds(
    'P1a',
    'trivial graph over an engine: submission to the terminal frame beside the engine alone, p50',
    'through.p50',
    'direct.p50',
    15,
  ),
  adds('P1b', 'the same, p99', 'through.p99', 'direct.p99', 25),
  higher('P2', 'durable 64 x 64 jobs beside prompts of that engine', '1/s', 'jobs.rate', 'prompts.rate', 1),
  higher('P2b', 'the same with HEDDLE_WORKERS=4', '1/s', 'jobs4.rate', 'prompts.rate', 1),
  higher('R1', 'rebuild beside a plain read of the log', 'events/s', 'rebuild.rate', 'read-log.rate', 0.25),
  least('H1', 'verification of the chain alone', 'events/s', 'verify-chain.rate', 150_000),
  higher('H1b', 'the same beside a plain read of the log', 'events/s', 'verify-chain.rate', 'read-log.rate', 0.35),
  most('H1c', 'CPU of the same, without the database', 'us an event', 'verify-chain.cpu', 6.6),
  least('H2', 'verification of chain, events and jobs', 'events/s', 'verify.rate', 90_000),
  most('H2b', 'CPU of the same, without the database', 'us an event', 'verify.cpu', 11),
  least('H3', 'rebuild of the read model', 'events/s', 'rebuild.rate', 100_000),
  most('H3b', 'CPU of the same, without the database', 'us an event', 'rebuild.cpu', 10),
  least('H4', 'export to Parquet', 'events/s', 'export.rate', 100_000),
  most('H4b', 'CPU of the same, without the database', 'us an event', 'export.cpu', 20),
  most('H5a', 'peak memory of a verification, 1 M events', 'MiB', 'verify.mib', 300),
  most('H5b', 'of a rebuild', 'MiB', 'rebuild.mib', 300),
  most('H5c', 'of an export', 'MiB', 'export.mib', 400),
  adds('H6', 'show of a job with 10,000 events beside the help of show', 'show.ms', 'show-start.ms', 200),
  most('H7a', 'peak memory of a verification, 10 M events', 'MiB', 'verify10.mib', 300),
  most('H7b', 'of a rebuild', 'MiB', 'rebuild10.mib', 300),
  most('H7c', 'of an export', 'MiB', 'export10.mib', 400),
  adds(
    'H8a',
    'slowest of ten questions over 10 M events beside one that reads nothing',
    'question.ms',
    'question-start.ms',
    2_000,
  ),
  most('H8b', 'largest of them, its process', 'MiB', 'question.mib', 512),
  lower('H9', 'CPU of a submission beside an export', 'us', 'beside-export.cpu', 'without-export.cpu', 1.05),
  lower('R2', 'statement of a bulk read of 100 of 100,000 versions, p50', 'ms', 'bulk-sql.p50', 'point-sql.p50', 3),
  lower('R2b', 'answer of the same beside a read of one, p50', 'ms', 'bulk.p50', 'point.p50', 12),
  most('R3', 'page of 100 of 1,000,000 classes, p99', 'ms', 'classes.p99', 20),
  lower('R3b', 'page 1,000 of them beside page 1, p50', 'ms', 'classes1000.p50', 'classes1.p50', 3),
  most('R4', 'search over 10,000 packages, p99', 'ms', 'search.p99', 50),
  most('R5', 'inspection of 1,000 files', 's', 'inspect1000.seconds', 2),
  {
    id: 'R5b',
    quantity: 'peak memory of the same above idle',
    unit: 'MiB',
    product: 'inspect1000.peak',
    floor: 'inspect1000.idle',
    better: 'add',
    bar: 256,
    statistic: 'median',
  },
  most('R6', 'publish of 1 MiB until it is active', 's', 'publish.seconds', 3),
  higher('R7', 'upload of an archive of 96 MiB', 'MB/s', 'archive.rate', 'archive-floor.rate', 0.5),
  lower('R8', 'CPU of a repeated read by ETag', 'us', 'repeated.us', 'nest-get.us', 1.3),
  {
    id: 'V1',
    quantity: 'creation of a video beside its vendor, p50',
    unit: 'ms',
    product: 'proxy-create.p50',
    floor: 'vendor-create.p50',
    better: 'add',
    bar: 15,
    statistic: 'median',
  },
  lower('V2', 'status of an ended task beside a job, p50', 'ms', 'proxy-read.p50', 'job-read.p50', 2),
  most('V3', 'callback after the end at the vendor, p50', 'ms', 'callback.p50', 1_000),
  {
    id: 'V4',
    quantity: 'memory of 10,000 tasks under way',
    unit: 'MiB',
    product: 'under-way.held',
    floor: 'under-way.before',
    better: 'add',
    bar: 64,
    statistic: 'median',
  },
  lower('C1', 'CPU until it serves (main process)', 'ms', 'cold.cpu', 'cold-nest.cpu', 2.5),
  lower('C2', 'idle memory (main process)', 'MiB', 'cold.rss', 'cold-nest.rss', 2),
  {
    id: 'C4',
    quantity: 'graceful stop',
    unit: 's',
    product: 'stop.seconds',
    floor: 'none',
    better: 'add',
    bar: 10,
    statistic: 'median',
  },
  {
    id: 'C5a',
    quantity: 'acknowledged jobs lost by kill -9 under load',
    unit: 'jobs',
    product: 'crash.lost',
    floor: 'none',
    better: 'add',
    bar: 0,
    statistic: 'median',
  },
  {
    id: 'C5b',
    quantity: 'kill -9 until it serves again',
    unit: 's',
    product: 'crash.seconds',
    floor: 'none',
    better: 'add',
    bar: 10,
    statistic: 'median',
  },
  lower(
    'S1c',
    'CPU of a submission over all services, broker aside',
    'us',
    'cluster-submit.cpu',
    'http-four-rows-coalesced.cpu',
    4.5,
  ),
  most('D3a', 'acknowledgement to engine start across services, 2 of each, p50', 'ms', 'cluster-start2.p50', 8),
  most('D3b', 'the same, p99', 'ms', 'cluster-start2.p99', 50),
  most('D3c', 'the same, 1 of each, p50', 'ms', 'cluster-start1.p50', 8),
  most('D3d', 'the same, p99', 'ms', 'cluster-start1.p99', 50),
  lower('E7', 'worker event to frame at another gateway, p99', 'ms', 'live.p99', 'live-floor.p99', 3),
  most('E3c', 'memory held by an idle stream of 5,000 on a gateway', 'KiB', 'cluster-sse5000.kib', 32),
  most('C6', 'idle memory (PSS) of a cluster with one of each, Kafka aside', 'MiB', 'cluster-idle.pss', 1000),
  higher(
    'U4',
    'upload of 100 MiB through gateway and assets to S3',
    'MB/s',
    's3-upload1.rate',
    's3-upload-floor1.rate',
    0.5,
  ),
  higher('U4b', 'the same, 4 at a time', 'MB/s', 's3-upload4.rate', 's3-upload-floor4.rate', 0.5),
  least('K1', 'relay of a full log to Kafka', 'events/s', 'relay.rate', 12_000),
  higher('K2', 'relay beside submissions', 'events/s', 'relay-beside.rate', 'relay-beside.submitted', 0.9),
  least('K3', 'the log published again beside live traffic', 'events/s', 'replay.rate', 10_000),
  lower('M1', 'CPU of a submission on managed without a price', 'us', 'managed.cpu', 'self-hosted.cpu', 1.15),
  lower('M2', 'the same with a price', 'us', 'priced.cpu', 'self-hosted-later.cpu', 1.35),
  lower('M3', 'the same with 1,000 deployments beside it', 'us', 'priced-beside.cpu', 'priced.cpu', 1.25),
  // 3,000 a second on one core
  most('M4', 'server CPU of a 302 to signed content', 'us', 'redirect.cpu', 333),
  most('M5', 'heap that the service holds for a deployment', 'KiB', 'deployment.kib', 4),
  most('M6', 'check of a key that is in the cache', 'us', 'key-check.us', 5),
  least('L1', 'check of the ledgers against balances and log', 'entries/s', 'ledger-check.rate', 50_000),
  most('L1b', 'CPU of the same, check and database', 'us an entry', 'ledger-check.cpu', 20),
  higher(
    'L2',
    'the same beside one plain read of entries and events',
    'entries/s',
    'ledger-check.rate',
    'ledger-read.rate',
    0.25,
  ),
];

export type Sample = Readonly<Record<string, number>>;

export interface Judged {
  readonly row: Row;
  readonly product: number;
  readonly floor: number;
  readonly ratio: number;
  readonly met: boolean;
}

/** Judges the rows that have figures in every round, by their statistic over the rounds. */
export function judge(rounds: readonly Sample[]): Judged[] {
  return ROWS.flatMap((row) => {
    const product = statistic(
      row,
      rounds.flatMap((round) => round[row.product] ?? []),
    );
    const floor =
      row.floor === 'none'
        ? 0
        : statistic(
            row,
            rounds.flatMap((round) => round[row.floor] ?? []),
          );
    if (product === null || floor === null) return [];
    const ratio = row.floor === 'none' || row.better === 'add' ? product - floor : product / floor;
    const met = row.better === 'higher' || row.better === 'least' ? ratio >= row.bar : ratio <= row.bar;
    return [{ row, product, floor, ratio, met }];
  });
}

function statistic(row: Row, values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return row.statistic === 'best' ? sorted[sorted.length - 1]! : sorted[Math.floor((sorted.length - 1) / 2)]!;
}

export function table(judged: readonly Judged[]): string {
  const head = ['row', 'quantity', 'product', 'floor', 'ratio', 'bar', 'met'];
  const lines = judged.map(({ row, product, floor, ratio, met }) => [
    row.id,
    row.quantity,
    `${figure(product)} ${row.unit}`,
    row.floor === 'none' ? '-' : `${figure(floor)} ${row.unit}`,
    isRatio(row) ? `${ratio.toFixed(2)}x` : `+${figure(ratio)}`,
    `${row.better === 'higher' || row.better === 'least' ? '>=' : '<='} ${row.bar}${isRatio(row) ? 'x' : ''}`,
    met ? 'yes' : 'NO',
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column]!.length)));
  const format = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [format(head), format(widths.map((width) => '-'.repeat(width))), ...lines.map(format)].join('\n');
}

function isRatio({ better }: Row): boolean {
  return better === 'lower' || better === 'higher';
}

function figure(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(0) : value.toPrecision(3);
}
