import type {
  AssetId,
  DurableReport,
  JobErrorCode,
  JobOutput,
  OutputType,
  ReportRefusal,
  ReportVerdict,
  WorkerOutcome,
  WorkerReport,
} from '@heddle/contracts-messages';
import { MAX_REPORT_TEXT } from '@heddle/contracts-messages';
import { progressMessage, progressOf } from '../encode-values/progress.js';
import { Acknowledgement_Verdict } from '../generated/heddle/worker/v1/worker.js';
import type { Acknowledgement, Outcome, Report } from '../generated/heddle/worker/v1/worker.js';
import { keyMessage, keyOfMessage } from './lease-messages.js';

/** Maximum bytes of an outcome, of another report and of a message, well below the service's limit. */
const OUTCOME_BYTES = 1024 ** 2;
const REPORT_BYTES = 16 * 1024;
const MAX_BYTES = 12 * 1024 ** 2;

/** Splits reports into messages, in order, as many in each as it may hold. */
export function messagesOf(reports: readonly Report[]): readonly Report[][] {
  const messages: Report[][] = [];
  let left = 0;
  for (const report of reports) {
    const bytes = report.body?.$case === 'outcome' ? OUTCOME_BYTES : REPORT_BYTES + previewBytes(report);
    if (messages.length === 0 || bytes > left) {
      messages.push([]);
      left = MAX_BYTES;
    }
    messages.at(-1)!.push(report);
    left -= bytes;
  }
  return messages;
}

function previewBytes({ body }: Report): number {
  return body?.$case === 'preview' ? body.value.data.length : 0;
}

export function reportMessage(report: WorkerReport): Report {
  return { lease: keyMessage(report), sequence: report.sequence, body: bodyOf(report) };
}

function bodyOf(report: WorkerReport): Report['body'] {
  switch (report.kind) {
    case 'started':
      return { $case: 'started', value: {} };
    case 'node_finished': {
      const { nodeId, classType, startedAt, endedAt, cached } = report;
      return { $case: 'nodeFinished', value: { nodeId, classType, startedAt, endedAt, cached } };
    }
    case 'output_committed':
      return { $case: 'outputCommitted', value: report.output };
    case 'log_captured':
      return { $case: 'logCaptured', value: { sizeBytes: report.sizeBytes, truncated: report.truncated } };
    case 'outcome': {
      const { outcome, progress } = report;
      return { $case: 'outcome', value: { result: resultOf(outcome), progress: progressMessage(progress) } };
    }
    case 'progress':
      return { $case: 'progress', value: progressMessage(report.progress) };
    case 'preview': {
      const { nodeId, contentType, data } = report;
      return { $case: 'preview', value: { nodeId, contentType, data: Buffer.from(data) } };
    }
  }
}

function resultOf(outcome: WorkerOutcome): Outcome['result'] {
  switch (outcome.kind) {
    case 'succeeded':
    case 'canceled':
      return { $case: outcome.kind, value: {} };
    case 'lost':
      return { $case: 'lost', value: { reason: outcome.reason.slice(0, MAX_REPORT_TEXT.message) } };
    case 'failed': {
      const { code, message, nodeId, classType, traceback, nodeRun } = outcome;
      const value = {
        code,
        message: message.slice(0, MAX_REPORT_TEXT.message),
        nodeId: nodeId ?? undefined,
        classType: classType ?? undefined,
        // The end of a traceback names the error.
        traceback: traceback?.slice(-MAX_REPORT_TEXT.traceback),
        nodeRun: nodeRun ?? undefined,
      };
      return { $case: 'failed', value };
    }
  }
}

/** Decodes a report, or returns why it cannot. The service that stores it checks the values of its fields. */
export function reportOfMessage({ lease, sequence, body }: Report): WorkerReport | ReportRefusal {
  const head = { ...keyOfMessage(lease), sequence };
  switch (body?.$case) {
    case 'started':
      return { ...head, kind: 'started' };
    case 'nodeFinished':
      return { ...head, kind: 'node_finished', ...body.value };
    case 'outputCommitted': {
      const output: JobOutput = {
        ...body.value,
        type: body.value.type as OutputType,
        assetId: body.value.assetId as AssetId,
      };
      return { ...head, kind: 'output_committed', output };
    }
    case 'logCaptured':
      return { ...head, kind: 'log_captured', ...body.value };
    case 'outcome': {
      const outcome = outcomeOfMessage(body.value);
      if (outcome === null || body.value.progress === undefined) return 'malformed';
      return { ...head, kind: 'outcome', outcome, progress: progressOf(body.value.progress) };
    }
    case 'progress':
      return { ...head, kind: 'progress', progress: progressOf(body.value) };
    case 'preview':
      return { ...head, kind: 'preview', ...body.value };
    case undefined:
      return 'unknown_kind';
  }
}

function outcomeOfMessage({ result }: Outcome): WorkerOutcome | null {
  switch (result?.$case) {
    case 'succeeded':
    case 'canceled':
      return { kind: result.$case };
    case 'lost':
      return { kind: 'lost', reason: result.value.reason };
    case 'failed': {
      const { code, message, nodeId, classType, traceback, nodeRun } = result.value;
      return {
        kind: 'failed',
        code: code as JobErrorCode,
        message,
        nodeId: nodeId ?? null,
        classType: classType ?? null,
        traceback: traceback ?? null,
        nodeRun: nodeRun ?? null,
      };
    }
    case undefined:
      return null;
  }
}

/** `try_again`: the service cannot store the report now. */
export type ReportAnswer = ReportVerdict | 'try_again';

export function acknowledgementMessage(
  report: Pick<Report, 'lease' | 'sequence'>,
  answer: ReportAnswer,
): Acknowledgement {
  const { lease, sequence } = report;
  const { VERDICT_STORED, VERDICT_REJECTED, VERDICT_TRY_AGAIN } = Acknowledgement_Verdict;
  if (answer === 'stored') return { lease, sequence, verdict: VERDICT_STORED, reason: '' };
  const verdict = answer === 'try_again' ? VERDICT_TRY_AGAIN : VERDICT_REJECTED;
  return { lease, sequence, verdict, reason: answer };
}

const REFUSALS: readonly string[] = ['stale_fence', 'not_found', 'malformed', 'unknown_kind', 'too_large'];

/** An unknown verdict counts as a refusal, because the report may not be stored. */
export function answerOfMessage({ verdict, reason }: Acknowledgement): ReportAnswer {
  if (verdict === Acknowledgement_Verdict.VERDICT_STORED) return 'stored';
  if (verdict === Acknowledgement_Verdict.VERDICT_TRY_AGAIN) return 'try_again';
  return REFUSALS.includes(reason) ? (reason as ReportRefusal) : 'malformed';
}

export function isVolatile(report: WorkerReport): report is Exclude<WorkerReport, DurableReport> {
  return report.kind === 'progress' || report.kind === 'preview';
}
