import type { ExportReport } from '@heddle/jobs-history/exports';
import type { Command, CommandCall } from '../command-line/command.js';
import { wholeNumber } from '../command-line/read-arguments.js';
import { EXIT, wrongUsage } from '../failure.js';
import { assertOutputFolder } from '../run-workflow/output-folder.js';
import { isBucketPlace, withExportPlace } from '../show-history/export-place.js';
import { LOG_OPTIONS, logPlaceOf } from '../show-history/log-place.js';
import { Interrupted, longWork } from '../show-history/long-work.js';
import { readingSource } from '../show-history/open-source.js';
import { byteText } from '../terminal/quantities.js';
import { progressOn } from '../terminal/work-progress.js';

const DEFAULT_SEGMENT = 250_000;
const MAX_SEGMENT = 1_000_000;

export const historyExportCommand: Command = {
  name: 'history export',
  summary: 'write the log to Parquet files that any tool opens, each run from where the last one stopped',
  words: '',
  isLocal: true,
  options: {
    ...LOG_OPTIONS,
    out: { value: 'PLACE', meaning: 'folder of the export, or s3://BUCKET/PREFIX; it is made, or continued' },
    until: { value: 'SEQ', meaning: 'last sequence number (the newest)' },
    segment: { value: 'N', meaning: `events per segment (${DEFAULT_SEGMENT})` },
    redact: { value: null, meaning: 'leave out the payloads and keep their digests, which still verify' },
  },
  examples: [
    'heddle history export --out history',
    'heddle history verify --from history',
    'heddle history export --out s3://bucket/history',
  ],
  notes: () =>
    Promise.resolve([
      'Works while Heddle runs. The manifest names what is complete; Ctrl-C stops after what was published last.',
      'S3: HEDDLE_S3_ENDPOINT, HEDDLE_S3_ACCESS_KEY and HEDDLE_S3_SECRET_KEY, as for the assets service; the bucket must exist.',
      'Payloads that were purged are not exported. An older export keeps them: delete it.',
    ]),
  run: exportLog,
};

async function exportLog(call: CommandCall): Promise<number> {
  const { words, options, terminal } = call;
  if (words.length > 0) throw wrongUsage('history export takes no arguments', '--out names the place');
  const out = options.text('out');
  if (out === null || out === '') throw wrongUsage('--out is missing', 'for example --out history');
  if (!isBucketPlace(out)) await assertOutputFolder(out);
  const until = wholeNumber(call.options, 'until', { min: 1, max: Number.MAX_SAFE_INTEGER });
  const segment = wholeNumber(call.options, 'segment', { min: 1, max: MAX_SEGMENT }) ?? DEFAULT_SEGMENT;
  const [{ withLog }, { exportHistory }] = await Promise.all([
    import('../show-history/open-log.js'),
    import('@heddle/jobs-history/exports'),
  ]);
  const began = performance.now();
  const tell = progressOn(terminal);
  const onProgress = (progress: { readonly events: number; readonly total: number }): void =>
    tell({ phase: 'export', ...progress });
  const request = { until: until === null ? null : BigInt(until), segment, redact: options.on('redact'), onProgress };
  try {
    const [report, name] = await longWork(
      (signal) =>
        readingSource(() =>
          withExportPlace(call, out, (place) =>
            withLog(
              logPlaceOf(call),
              { longWork: true, asAnalyst: true },
              signal,
              async ({ client }) => [await exportHistory(client, { ...request, place, signal }), place.name] as const,
            ),
          ),
        ),
      // The engine and two segments take most of the memory of an export; its rows do not stay.
      { youngBytes: 0 },
    );
    terminal.erase();
    const seconds = Math.round(performance.now() - began) / 1_000;
    terminal.printJson(reportLine(name, report, seconds));
    if (!terminal.json) for (const line of reportText(out, report, seconds)) terminal.print(line);
    return EXIT.done;
  } catch (error) {
    terminal.erase();
    if (error instanceof Interrupted) return EXIT.interrupted;
    throw error;
  }
}

function reportLine(out: string, report: ExportReport, seconds: number): object {
  const { fromSeq, toSeq, events, files, bytes, watermark } = report;
  return { out, from_seq: fromSeq, to_seq: toSeq, events, files, bytes, watermark, seconds };
}

function reportText(out: string, report: ExportReport, seconds: number): string[] {
  const { fromSeq, toSeq, events, files, bytes, watermark } = report;
  const head = watermark === null ? [] : [`head ${watermark.seq}:${watermark.chain}`];
  if (events === 0) return [`nothing new in the log: ${out} is up to date`, ...head];
  return [
    `${events} events, seq ${fromSeq} to ${toSeq}: ${files} files, ${byteText(bytes)}, ${seconds.toFixed(1)} s`,
    ...head,
  ];
}
