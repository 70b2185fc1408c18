import { spawn } from 'node:child_process';
import { program } from '@heddle/platform-telemetry/program';
import { childPids, cpuUs, rssMib } from '../process-cpu.ts';

const POLL_INTERVAL_MS = 20;

export interface CommandRun {
  /** The last line that it printed. */
  readonly line: Readonly<Record<string, unknown>>;
  /** Of the whole process, from its start to its end. */
  readonly milliseconds: number;
  readonly cpuMs: number;
  /** Peak of resident memory of the process; memory and CPU of the process that it started. */
  readonly mib: number;
  readonly childMib: number;
  readonly childCpuMs: number;
}

/** Runs `heddle history …` as a process of its own. */
export async function runHistory(words: readonly string[], url?: string): Promise<CommandRun> {
  const began = performance.now();
  const env = { ...process.env, ...(url !== undefined && { HEDDLE_DATABASE_URL: url }) };
  const child = spawn(process.execPath, [...program('cli'), 'history', ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err, cpu, mib, childMib, childCpu] = ['', '', 0, 0, 0, 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out = (out + text).slice(-100_000)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const look = setInterval(() => {
    cpu = Math.max(cpu, cpuUs(child.pid!));
    mib = Math.max(mib, peakMib(child.pid!));
    for (const { pid } of childPids(child.pid!)) {
      childMib = Math.max(childMib, peakMib(pid));
      childCpu = Math.max(childCpu, cpuUs(pid));
    }
  }, POLL_INTERVAL_MS);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(look);
  const milliseconds = performance.now() - began;
  if (code !== 0) throw new Error(`heddle history ${words[0]} ended with ${code}: ${err}${out.slice(-500)}`);
  const last = out.trimEnd().split('\n').at(-1) ?? '';
  const line = last.startsWith('{') ? (JSON.parse(last) as CommandRun['line']) : {};
  return { line, milliseconds, cpuMs: cpu / 1000, mib, childMib, childCpuMs: childCpu / 1000 };
}

/** 0 once it has ended. */
function peakMib(pid: number): number {
  try {
    return rssMib(pid, 'VmHWM');
  } catch {
    return 0;
  }
}
