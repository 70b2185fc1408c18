import { isTerminal } from '@heddle/testing-api';
import { statusOf } from '../log-checks.ts';
import { CAMPAIGN_CHECKS } from './campaign-evidence.ts';
import type { CampaignResult } from './run-campaign.ts';

/** Figures of a campaign for the report */
export interface CampaignReport {
  readonly seed: number;
  readonly faults: number;
  readonly faultsByFamily: Readonly<Record<string, number>>;
  readonly acknowledged: number;
  readonly terminal: number;
  readonly lost: number;
  readonly doubled: number;
  readonly orderViolations: number;
  /** Requests without an answer, whose outcome was found later */
  readonly unanswered: number;
  readonly uploads: number;
  readonly streams: number;
  readonly reads: number;
  readonly events: number;
  readonly published: number;
  readonly checks: number;
  readonly broken: readonly { readonly name: string; readonly faults: readonly string[] }[];
  readonly skipped: readonly string[];
  /** Milliseconds by fault; rounds with two faults count under both names. */
  readonly recoveries: CampaignResult['recoveries'];
}

const MAX_SHOWN_FAULTS = 5;

export function reportOf(result: CampaignResult): CampaignReport {
  const { evidence, settlement, broken } = result;
  const { journal, run, topic } = evidence;
  const count = (pattern: RegExp): number =>
    broken.filter(({ name }) => pattern.test(name)).reduce((sum, { faults }) => sum + faults.length, 0);
  const families = Object.groupBy(journal.strikes, ({ family }) => family);
  const acknowledged = journal.acknowledgedJobs;
  return {
    seed: result.seed,
    faults: journal.strikes.length,
    faultsByFamily: Object.fromEntries(Object.entries(families).map(([family, all]) => [family, all?.length ?? 0])),
    acknowledged: acknowledged.length,
    terminal: acknowledged.filter((jobId) => isTerminal(statusOf(run.streams.get(jobId) ?? []))).length,
    lost: settlement.lost.length + count(/^I1 |upload is stored/),
    doubled: settlement.doubled.length + count(/^I2 |^I5 at most|^I8 |^I9 an output/),
    orderViolations: count(/^I11 |^I24 |^I25 a job/),
    unanswered: settlement.unanswered,
    uploads: journal.uploads.length,
    streams: journal.streams.length,
    reads: journal.reads.length,
    events: run.sequenced,
    published: topic.length,
    checks: CAMPAIGN_CHECKS.length,
    broken: broken.map(({ name, faults }) => ({
      name,
      faults: [
        ...faults.slice(0, MAX_SHOWN_FAULTS),
        ...(faults.length > MAX_SHOWN_FAULTS ? [`and ${faults.length - MAX_SHOWN_FAULTS} more`] : []),
      ],
    })),
    skipped: result.skipped,
    recoveries: result.recoveries,
  };
}

/** The report as text. */
export function renderReport(report: CampaignReport): string {
  const { recoveries, broken, skipped } = report;
  const families = Object.entries(report.faultsByFamily).map(([family, count]) => `${family} ${count}`);
  return [
    `seed ${report.seed}: ${report.faults} faults (${families.join(', ')})`,
    `acknowledged ${report.acknowledged}, terminal ${report.terminal}, lost ${report.lost}, doubled ${report.doubled}, order violations ${report.orderViolations}`,
    `${report.unanswered} requests unanswered and settled since, ${report.uploads} uploads, ${report.streams} streams, ${report.reads} reads, ${report.events} events, ${report.published} records on the topic`,
    recoveryLine('kills of a jobs process', recoveries, /^kill (jobs|relay|sequencer)$/),
    recoveryLine('kills of other processes', recoveries, /^kill (gateway|worker|assets|validation|engine)$/),
    recoveryLine('kills of a broker', recoveries, /^kill broker$/),
    recoveryLine('restarts of the database', recoveries, /^restart database/),
    recoveryLine('all rounds', recoveries, /./),
    ...skipped.map((why) => `skipped: ${why}`),
    broken.length === 0
      ? `${report.checks} checks hold, and the read model rebuilt from zero is the same`
      : `${broken.length} of ${report.checks} checks are broken:`,
    ...broken.flatMap(({ name, faults }) => [`  ${name}`, ...faults.map((fault) => `    ${fault}`)]),
  ].join('\n');
}

function recoveryLine(what: string, recoveries: CampaignReport['recoveries'], faults: RegExp): string {
  const mine = recoveries.filter(({ fault }) => faults.test(fault));
  const of = (field: 'acceptedMs' | 'leasedMs' | 'relayedMs'): string => {
    const all = mine.map((recovery) => recovery[field] ?? Infinity).sort((one, other) => one - other);
    return all.length === 0 ? '-' : `${all[Math.floor(all.length / 2)]}/${all.at(-1)}`;
  };
  return `${what} (${mine.length}), ms median/most: accepted ${of('acceptedMs')}, leased ${of('leasedMs')}, relayed ${of('relayedMs')}`;
}
