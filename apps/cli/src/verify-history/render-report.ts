import type { HistoryReport } from '@heddle/jobs';
import type { LogFault } from '@heddle/platform-event-log';
import { plainText } from '../terminal/plain-text.js';
import type { Terminal } from '../terminal/terminal.js';

/** The last line with --json. */
export function reportLine(report: HistoryReport, source: string, seconds: number): object {
  const chain = report.chain.toString('hex');
  return {
    ok: report.faults.length === 0,
    source,
    events: Number(report.events),
    first_seq: Number(report.firstSeq),
    last_seq: Number(report.lastSeq),
    chain,
    head: `${report.lastSeq}:${chain}`,
    jobs: report.jobs,
    outputs: report.outputs,
    read_model: report.readModel,
    faults: report.faults.map(faultLine),
    seconds,
  };
}

function faultLine({ fault, seq, eventId, streamId, version, file, message }: LogFault): object {
  return { fault, seq: seq === null ? null : Number(seq), event_id: eventId, job_id: streamId, version, file, message };
}

export function reportLines(report: HistoryReport, seconds: number, terminal: Terminal): readonly string[] {
  const { events, firstSeq, lastSeq, chain, jobs, outputs, readModel, faults } = report;
  const folded = readModel === 'not_checked' ? 'jobs not checked' : `${jobs} jobs and ${outputs} outputs compared`;
  const rate = Math.round(Number(events) / Math.max(seconds, 0.001));
  const checked =
    events === 0n
      ? `${noEvents(lastSeq)}; ${folded}; ${seconds.toFixed(1)} s`
      : `${events} events, seq ${firstSeq} to ${lastSeq}; ${folded}; ${seconds.toFixed(1)} s, ${rate} events/s`;
  const head = `head ${lastSeq}:${chain.toString('hex')}`;
  if (faults.length === 0) return [`${terminal.paint('green', 'no fault')}: ${checked}`, head];
  return [
    ...faults.map((fault) => plainText(faultText(fault))),
    `${terminal.paint('red', 'faults')}: ${checked}`,
    head,
  ];
}

/** Without events the check began at the end: at a checkpoint, or at the beginning of an empty log. */
function noEvents(lastSeq: bigint): string {
  return lastSeq === 0n ? 'the log has no events' : `no event since the checkpoint of seq ${lastSeq}`;
}

function faultText({ fault, seq, streamId, version, message }: LogFault): string {
  const place = [
    ...(seq === null ? [] : [`seq ${seq}`]),
    ...(version === null ? [] : [`version ${version} of job ${streamId}`]),
  ].join(', ');
  return `${fault}${place === '' ? '' : ` at ${place}`}: ${message}`;
}
