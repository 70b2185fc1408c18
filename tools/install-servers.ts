// Fetches Apache Kafka and builds the S3 server, or the tools that check the charts, while test parts run that need none of
// them. The test runner starts it as a separate process, so that it can be ended with the run.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { installChartTools, installFurtherChartTools } from './charts/chart-tools.ts';

export type Installed = 'servers' | 'chart tools' | 'further chart tools';

export interface Installation {
  /** Resolves with null when everything is installed, otherwise with the obstacle. */
  readonly done: Promise<string | null>;
  stop(): void;
}

/** Starts the work; `say` prints progress if something must be fetched or built. */
export function startInstallation(root: string, what: Installed, say: (line: string) => void): Installation {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), join(root, '.cache'), what], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The parts that run meanwhile measure time, and the charts come last.
  if (what !== 'servers' && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let failure = '';
  createInterface({ input: child.stdout }).on('line', (line) => say(`${what}: ${line}`));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (failure += text));
  const done = new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? null : failure.trim() || `it ended with ${code}`));
  });
  return { done, stop: () => void child.kill() };
}

async function install(cacheDir: string, what: Installed): Promise<void> {
  const { installKafka, installS3Server } = await import('@heddle/local-servers');
  const progress = (line: string): boolean => process.stdout.write(`${line}\n`);
  const installing = {
    servers: () => [installKafka(cacheDir, progress), installS3Server(cacheDir, progress)],
    'chart tools': () => [installChartTools(cacheDir, progress)],
    'further chart tools': () => [
      installChartTools(cacheDir, progress).then(() => installFurtherChartTools(cacheDir, progress)),
    ],
  }[what];
  const parts = await Promise.allSettled<unknown>(installing());
  const failures = parts.flatMap((part) => (part.status === 'rejected' ? [messageOf(part.reason)] : []));
  if (failures.length === 0) return;
  process.stderr.write(`${failures.join('\n')}\n`);
  process.exitCode = 1;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Children end with this process, but a signal alone would not tell it to exit.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  await install(process.argv[2] ?? '.cache', (process.argv[3] ?? 'servers') as Installed);
}
