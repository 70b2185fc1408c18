import { errorMessage } from '@heddle/contracts-messages/error-message';
import type { ApiClient } from '../api/api-client.js';
import type { WireJob } from '../api/wire.js';
import { cancelJob } from '../cancel-job/cancel-job.js';
import { codedFailure, EXIT } from '../failure.js';
import { plainText } from '../terminal/plain-text.js';
import { counted, durationText } from '../terminal/quantities.js';
import type { Terminal } from '../terminal/terminal.js';
import { followJob } from './follow-job.js';
import type { OutlineNode } from './graph-outline.js';
import { LeftRunning, offerCancel } from './interrupts.js';
import { JobDisplay } from './job-display.js';

interface FollowedCommand {
  readonly client: ApiClient;
  readonly terminal: Terminal;
  readonly nodes: readonly OutlineNode[];
  /** Time-out of following; null follows to the end. */
  readonly timeoutMs: number | null;
  /** The part of the time-out that is already used. */
  readonly waitedMs?: number;
}

/** Follows a job with its display, Ctrl-C and a time-out; leaving never ends the job. */
export async function followToEnd(job: WireJob, command: FollowedCommand): Promise<WireJob> {
  const { client, terminal, nodes, timeoutMs, waitedMs = 0 } = command;
  const display = new JobDisplay(terminal, nodes);
  const cancel = async (): Promise<void> => {
    await cancelJob(client, job.id).catch((error: unknown) => {
      terminal.say(`the cancel request failed: ${errorMessage(error)}`);
    });
  };
  const interrupts = offerCancel(terminal, { jobId: job.id, onCancel: cancel });
  const timeout = timeoutMs === null ? null : AbortSignal.timeout(Math.max(1, timeoutMs - waitedMs));
  const signal = timeout === null ? interrupts.signal : AbortSignal.any([interrupts.signal, timeout]);
  try {
    return await followJob(client, job, display, { signal });
  } catch (error) {
    if (interrupts.signal.reason instanceof LeftRunning) {
      throw codedFailure(
        'interrupted',
        `left; job ${job.id} goes on`,
        128 + interrupts.signal.reason.signalNumber,
        stillRunning(job.id),
      );
    }
    if (timeout?.aborted === true) {
      throw codedFailure(
        'timeout',
        `job ${job.id} has not ended within ${durationText(timeoutMs ?? 0)}`,
        EXIT.failed,
        stillRunning(job.id),
      );
    }
    throw error;
  } finally {
    interrupts.close();
    display.close();
  }
}

function stillRunning(id: string): string {
  return `heddle watch ${id} follows it, heddle cancel ${id} ends it`;
}

/** Prints how the job ended in one line; anything but success is a failure of the command. */
export function printOutcome(job: WireJob, terminal: Terminal): number {
  terminal.printJson({ event: 'finished', job: job.body });
  const took = job.executionMs === null ? '' : ` in ${durationText(job.executionMs)}`;
  if (job.status === 'succeeded') {
    if (!terminal.json)
      terminal.say(`${terminal.paint('green', 'succeeded')}${took}, ${counted(job.outputs.length, 'output')}`);
    return EXIT.done;
  }
  const error = job.error;
  const where =
    error?.nodeId == null ? '' : ` in node ${plainText(error.nodeId)} ${plainText(error.classType ?? '')}`.trimEnd();
  const why = error === null ? '' : `: ${plainText(error.code)}${where}: ${plainText(error.message)}`;
  if (!terminal.json) terminal.sayWrapped(`${terminal.paint('red', plainText(job.status))}${why}`, '  ');
  return EXIT.failed;
}
