import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processIdentity } from '@heddle/platform-database';

const STOP_WITHIN_MS = 15_000;
const POLL_MS = 50;

interface LeftProcess {
  readonly pid: number;
  readonly identity: string;
}

/** Ends the processes whose launcher was killed; returns their names. A process id that another process has is left alone. */
export async function stopLeftProcesses(folder: string): Promise<string[]> {
  const files = filesIn(folder).filter((name) => name.endsWith('.json'));
  const left = files.flatMap((name) => {
    const { pid, identity } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Partial<LeftProcess>;
    return pid === undefined || identity === undefined ? [] : [{ name: name.replace('.json', ''), pid, identity }];
  });
  const alive = left.filter(isAlive);
  await Promise.all(alive.map(async (one) => await end(one)));
  for (const name of files) rmSync(join(folder, name), { force: true });
  return alive.map(({ name }) => name);
}

const isAlive = ({ pid, identity }: LeftProcess): boolean => processIdentity(pid) === identity;

async function end(left: LeftProcess): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (isAlive(left)) process.kill(left.pid, signal);
    for (const until = performance.now() + STOP_WITHIN_MS; isAlive(left) && performance.now() < until;)
      await delay(POLL_MS);
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
