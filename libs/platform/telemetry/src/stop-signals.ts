import { readFileSync, readlinkSync } from 'node:fs';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

const ACCESS_MODE = 0o3;
const WRITE_ONLY = 0o1;

/**
 * Calls `stop` for each signal that asks the process to stop: SIGHUP, which a closed terminal sends, is one of them. A
 * process that `nohup` started goes on. The output to a terminal that is gone is dropped, so that the stop can log.
 */
export function onStopSignal(stop: (signal: StopSignal) => void): void {
  const goesOn = isStartedByNohup();
  for (const signal of STOP_SIGNALS)
    process.on(signal, () => (signal === 'SIGHUP' && goesOn ? undefined : stop(signal)));
  for (const stream of [process.stdout, process.stderr]) stream.on('error', throwUnlessTerminalGone);
}

/** Node reports each write to a closed terminal as EIO. */
export function isTerminalGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EIO';
}

function throwUnlessTerminalGone(error: Error): void {
  if (!isTerminalGone(error)) throw error;
}

/**
 * Node restores the default of every signal when it starts, so an ignored SIGHUP cannot be seen. What remains of GNU
 * `nohup` is its standard input: /dev/null, opened for writing only.
 */
function isStartedByNohup(): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'))?.[1];
    const isUnreadable = flags !== undefined && (Number.parseInt(flags, 8) & ACCESS_MODE) === WRITE_ONLY;
    return isUnreadable && readlinkSync('/proc/self/fd/0') === '/dev/null';
  } catch {
    return false;
  }
}
