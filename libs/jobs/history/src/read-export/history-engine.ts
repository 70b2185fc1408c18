import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DuckDBConnection } from '@duckdb/node-api';
import { interruptStatements } from './interrupt-statements.js';

interface EngineSize {
  /** Not the limit of the process: 300,000 rows that were sorted under 300 MB peaked at 430 MB. */
  readonly memory: string;
  readonly threads: number;
}

const DEFAULT_SIZE: EngineSize = { memory: '250MB', threads: 2 };

/** DuckDB in memory, in UTC. What does not fit goes to a folder of its own, which is removed with it. */
export class HistoryEngine {
  private constructor(
    private readonly instance: DuckDBInstance,
    readonly connection: DuckDBConnection,
    private readonly removeSpill: () => void,
  ) {}

  static async open({ memory, threads } = DEFAULT_SIZE): Promise<HistoryEngine> {
    // The name cannot be guessed, and nobody else may read the folder: payloads are spilled.
    const spill = await mkdtemp(join(tmpdir(), 'heddle-spill-'));
    const removeSpill = (): void => rmSync(spill, { recursive: true, force: true });
    // Also if the process ends at once, as when its output is no longer read.
    process.once('exit', removeSpill);
    const options = { memory_limit: memory, threads: String(threads), temp_directory: join(spill, 'duckdb') };
    let instance: DuckDBInstance | null = null;
    try {
      instance = await DuckDBInstance.create(':memory:', options);
      const connection = await instance.connect();
      await connection.run("set TimeZone = 'UTC'");
      return new HistoryEngine(instance, connection, removeSpill);
    } catch (error) {
      instance?.closeSync();
      process.off('exit', removeSpill);
      removeSpill();
      throw error;
    }
  }

  /** Opens an engine for `work` and closes it. An abort interrupts the statement that is running. */
  static async during<T>(signal: AbortSignal, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const engine = await HistoryEngine.open();
    let stopInterrupting = (): void => undefined;
    const interrupt = (): void => void (stopInterrupting = interruptStatements(engine.connection));
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      signal.throwIfAborted();
      return await work(engine.connection);
    } catch (error) {
      // The engine reports an interrupted statement in its own words.
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', interrupt);
      stopInterrupting();
      engine.close();
    }
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
    process.off('exit', this.removeSpill);
    this.removeSpill();
  }
}
