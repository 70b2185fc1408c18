import type { DurableReport, ReportVerdict } from '@heddle/contracts-messages';
import type { Acknowledgement, Report } from '../generated/heddle/worker/v1/worker.js';
import { keyOfMessage } from './lease-messages.js';
import { answerOfMessage, reportMessage } from './report-messages.js';

interface Pending {
  readonly message: Report;
  readonly answer: PromiseWithResolvers<ReportVerdict>;
}

/** Durable reports of a worker without an acknowledgement, in the order in which they were added. */
export class PendingReports {
  readonly #pending = new Map<string, Pending>();

  /** The reports that a new stream sends again. */
  get messages(): readonly Report[] {
    return [...this.#pending.values()].map(({ message }) => message);
  }

  add(report: DurableReport): { readonly message: Report; readonly answer: Promise<ReportVerdict> } {
    const message = reportMessage(report);
    const answer = Promise.withResolvers<ReportVerdict>();
    this.#pending.set(nameOf(message), { message, answer });
    return { message, answer: answer.promise };
  }

  /** Rejects on `try_again`: the caller decides whether and when to report again. */
  settle(acknowledgement: Acknowledgement): void {
    const name = nameOf(acknowledgement);
    const pending = this.#pending.get(name);
    if (pending === undefined) return;
    this.#pending.delete(name);
    const answer = answerOfMessage(acknowledgement);
    if (answer === 'try_again') pending.answer.reject(new Error('the jobs service cannot store the report now'));
    else pending.answer.resolve(answer);
  }

  rejectAll(error: Error): void {
    for (const { answer } of this.#pending.values()) answer.reject(error);
    this.#pending.clear();
  }
}

function nameOf({ lease, sequence }: Pick<Report, 'lease' | 'sequence'>): string {
  const { jobId, fence } = keyOfMessage(lease);
  return `${jobId}:${fence}:${sequence}`;
}
