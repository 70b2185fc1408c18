import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { standaloneEnvironment } from '@heddle/platform-telemetry/child-environment';
import { program } from '@heddle/platform-telemetry/program';

const READY = /^heddle ready (\S+)$/m;
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 12_000;
const KEPT_LOG = 64 * 1024;

/** A separate Heddle on a free port for the duration of the demonstration. */
interface RunningHeddle {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startHeddle(
  dataDir: string,
  onStart: (stop: () => Promise<void>) => void,
): Promise<RunningHeddle> {
  const env = {
    ...standaloneEnvironment(process.env),
    HEDDLE_PORT: '0',
    HEDDLE_DATA: dataDir,
    HEDDLE_DATABASE_URL: '',
    HEDDLE_DATABASE_URL_FILE: '',
    HEDDLE_STATIC_TOKEN: '',
    HEDDLE_STATIC_TOKEN_FILE: '',
  };
  // In its own process group: Ctrl-C reaches the demonstration, which then stops everything in order.
  const child = spawn(process.execPath, program('standalone'), {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const stop = (): Promise<void> => end(child);
  onStart(stop);
  return { url: await ready(child), stop };
}

function ready(child: ChildProcess): Promise<string> {
  let said = '';
  let log = '';
  return new Promise((done, fail) => {
    const giveUp = (why: string): void => fail(new Error(`Heddle ${why}; its log ends with:\n${log}`));
    const timer = setTimeout(() => giveUp('was not ready within a minute'), READY_WITHIN_MS);
    child.stdout?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-KEPT_LOG);
      const url = READY.exec(said)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      done(url);
    });
    child.stderr?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-KEPT_LOG)));
    child.once('error', (error) => giveUp(`cannot be started (${error.message})`));
    child.once('exit', (code) => {
      clearTimeout(timer);
      giveUp(`ended with ${code ?? 'a signal'} before it was ready`);
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}
