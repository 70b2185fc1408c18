import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DuckDBConnection } from '@duckdb/node-api';

/** The limit is not that of the process: 300,000 rows that were sorted under 300 MB peaked at 430 MB. */
const MEMORY = '250MB';

/** DuckDB in memory, in UTC. What does not fit goes to a folder of its own, which is removed with it. */
export class HistoryEngine {
  private constructor(
    private readonly instance: DuckDBInstance,
    readonly connection: DuckDBConnection,
    private readonly removeSpill: () => void,
  ) {}

  static async open(): Promise<HistoryEngine> {
    // The name cannot be guessed, and nobody else may read the folder: payloads are spilled.
    const spill = await mkdtemp(join(tmpdir(), 'heddle-spill-'));
    const removeSpill = (): void => rmSync(spill, { recursive: true, force: true });
    // Also if the process ends at once, as when nobody reads its output any more.
    process.once('exit', removeSpill);
    const options = { memory_limit: MEMORY, threads: '2', temp_directory: join(spill, 'duckdb') };
    const instance = await DuckDBInstance.create(':memory:', options);
    const connection = await instance.connect();
    await connection.run("set TimeZone = 'UTC'");
    return new HistoryEngine(instance, connection, removeSpill);
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
    process.off('exit', this.removeSpill);
    this.removeSpill();
  }
}
