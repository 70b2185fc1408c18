import { join } from 'node:path';
import type { LinesSource } from '../open-source/lines-source.js';
import { appendEvents } from '../read-export/append-events.js';
import { exportRows, TABLE_COLUMNS } from '../read-export/event-columns.js';
import { HistoryEngine } from '../read-export/history-engine.js';
import { literal } from '../read-export/sql-literal.js';

/** Events per file: they are held in memory until the file is written. */
const MAX_EVENTS = 250_000;

/** Writes event lines to Parquet files with the columns of an export, for questions that need more than one look. */
export async function snapshotLines(
  lines: LinesSource,
  folder: string,
  signal: AbortSignal,
  onProgress?: (events: number) => void,
): Promise<readonly string[]> {
  const engine = await HistoryEngine.open();
  const files: string[] = [];
  try {
    const { connection } = engine;
    const exportedAt = new Date().toISOString();
    await connection.run(`create temp table lines (${TABLE_COLUMNS})`);
    let [held, events] = [0, 0];
    const write = async (): Promise<void> => {
      const file = join(folder, `lines-${files.length + 1}.parquet`);
      await connection.run(
        `copy (${exportRows(exportedAt, 'from lines')}) to ${literal(file)} (format parquet, compression zstd)`,
      );
      await connection.run('truncate lines');
      files.push(file);
      held = 0;
    };
    for await (const batch of lines.all(signal)) {
      const appender = await connection.createAppender('lines');
      appendEvents(appender, batch);
      appender.closeSync();
      [held, events] = [held + batch.length, events + batch.length];
      onProgress?.(events);
      if (held >= MAX_EVENTS) await write();
    }
    if (held > 0) await write();
    return files;
  } finally {
    engine.close();
  }
}
