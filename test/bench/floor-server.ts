import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface FloorServer {
  readonly port: number;
  readonly pid: number;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a server of `floors/` in a separate process, which reports its port when it listens. */
export async function startFloor(file: string, args: readonly string[] = []): Promise<FloorServer> {
  const path = fileURLToPath(new URL(`floors/${file}`, import.meta.url));
  const child = fork(path, [...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(Number(message)));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { port, pid: child.pid ?? 0, child, stop };
}
