import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { InstanceLock, PostgresServer } from '@heddle/platform-database';
import { stopKafka } from '@heddle/local-servers';
import { SERVICES } from './replicas.js';

const SERVICE_PROGRAM = new RegExp(`/dist/(${SERVICES.join('|')})\\.js$`);
const GONE_WITHIN_MS = 10_000;
const POLL_MS = 50;

/**
 * Ends processes left by a killed launcher in a data folder: services, brokers, S3 server and database server,
 * recognized by their arguments. Returns true if there were any.
 */
export async function stopLeftovers(dataDir: string): Promise<boolean> {
  const left = processesOver(dataDir);
  for (const pid of left) kill(pid);
  await stopKafka(join(dataDir, 'kafka'));
  const database = await stopDatabase(dataDir);
  const deadline = performance.now() + GONE_WITHIN_MS;
  while (processesOver(dataDir).length > 0) {
    if (performance.now() > deadline) throw new Error(`processes ${left.join(', ')} of ${dataDir} do not end`);
    await delay(POLL_MS);
  }
  return left.length > 0 || database;
}

/** A live Heddle on the same database keeps it. */
async function stopDatabase(dataDir: string): Promise<boolean> {
  if (!existsSync(join(dataDir, 'postgres'))) return false;
  const server = new PostgresServer({ dataDir });
  if (server.running() === undefined) return false;
  if (new InstanceLock(server.folder.control, dataDir).holder() !== undefined) return false;
  await server.stop();
  return true;
}

function processesOver(dataDir: string): number[] {
  if (!existsSync('/proc/self/environ')) return [];
  const objects = join(dataDir, 's3', 'objects');
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 1 && pid !== process.pid)
    .filter((pid) => {
      const command = procFileText(pid, 'cmdline').split('\0');
      if (command.includes(objects)) return true;
      const isService = command.some((word) => SERVICE_PROGRAM.test(word));
      return isService && procFileText(pid, 'environ').split('\0').includes(`HEDDLE_DATA=${dataDir}`);
    });
}

/** Empty if the process has just ended, or belongs to another user. */
function procFileText(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself: services stop when their launcher is gone.
  }
}
