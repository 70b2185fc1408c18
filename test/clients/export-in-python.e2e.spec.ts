import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { program } from '@heddle/platform-telemetry/program';
import { beforeAll, describe, expect, it } from 'vitest';
import { CACHE, pythonIsHere, pythonWith } from './python-environment.js';

const PYARROW = '26.0.1';
const HERE = dirname(fileURLToPath(import.meta.url));
const DATA = join(HERE, '../../docs/analysis/data');
const here = pythonIsHere();

interface Counted {
  readonly types: Readonly<Record<string, number>>;
  readonly node_ms: Readonly<Record<string, number>>;
  readonly schemas: readonly Readonly<Record<string, string>>[];
  readonly dense: boolean;
}

describe.runIf(here)(`an export in pyarrow${here ? '' : ' (skipped: this machine has no python3 with venv)'}`, () => {
  let counted: Counted;
  const run = promisify(execFile);
  const asked = async (sql: string): Promise<Record<string, number>> => {
    const words = [...program('cli'), 'history', 'query', '--from', DATA, '--json', sql];
    const { stdout } = await run(process.execPath, words);
    const rows = stdout.trim().split('\n');
    return Object.fromEntries(rows.map((row) => Object.values(JSON.parse(row) as object) as [string, number]));
  };
  beforeAll(async () => {
    const python = await pythonWith('pyarrow', PYARROW, join(CACHE, `python-pyarrow-${PYARROW}`));
    const { stdout } = await run(python, [join(HERE, 'python/read_export.py'), DATA]);
    counted = JSON.parse(stdout) as Counted;
  }, 360_000);

  it('has each event once, as many of each type as the command counts', async () => {
    expect(counted.dense).toBe(true);
    expect(counted.types).toEqual(await asked('select type, count(*) from events group by type'));
  });

  it('has the times of the nodes in columns of their own', async () => {
    expect(Object.keys(counted.node_ms).length).toBeGreaterThan(5);
    expect(counted.node_ms).toEqual(
      await asked('select class_type, sum(run_ms)::bigint from node_runs group by class_type'),
    );
  });

  it('has the same columns in every file, each with its type', () => {
    expect(counted.schemas).toHaveLength(1);
    expect(counted.schemas[0]).toMatchObject({
      seq: 'int64',
      version: 'int32',
      job_id: 'string',
      is_terminal: 'bool',
      recorded_at: 'timestamp[us, tz=UTC]',
      data: 'string',
      data_sha256: 'binary',
      chain: 'binary',
      d_class_type: 'string',
      d_started_at: 'timestamp[us, tz=UTC]',
      d_size_bytes: 'int64',
    });
  });
});
