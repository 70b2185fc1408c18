import type { JobPrice, RecordedErrorCode } from './job.events.js';
import type { EndedJob } from './job.state.js';

export const FREE: JobPrice = { perJob: 0, perSecondMicros: 0 };

export function isFree({ perJob, perSecondMicros }: JobPrice): boolean {
  return perJob === 0 && perSecondMicros === 0;
}

/** The most that a job can cost: its submission reserves it. */
export function reservationOf(price: JobPrice, maxRuntimeMs: number): number {
  return price.perJob + secondsPart(price.perSecondMicros, maxRuntimeMs);
}

/** Failures of the job itself: the account pays for the seconds. Every other failure is the service's own. */
const CHARGED_FAILURES: ReadonlySet<RecordedErrorCode> = new Set([
  'node_execution_error',
  'out_of_memory',
  'timeout',
  'output_limit',
  'credential_expired',
]);

/** What an end will charge. Only the time of the end is still missing. */
export interface ChargeTerms {
  /** Whole credits, whatever the time. */
  readonly flat: number;
  readonly perSecondMicros: number;
  /** Epoch milliseconds of the lease of the attempt that ended the job. */
  readonly leasedAtMs: number;
  readonly maxRuntimeMs: number;
  /** The most that the seconds may cost: what was reserved for them. */
  readonly maxForSeconds: number;
}

/** (accounts, What is charged): the job by its price, the seconds of the attempt that ended it. */
export function chargeTerms(job: EndedJob): ChargeTerms {
  const { price, reserved } = job.facts.submission;
  const { lease } = job;
  const isCharged = lease !== null && isChargedEnd(job);
  return {
    flat: job.status === 'succeeded' ? price.perJob : 0,
    perSecondMicros: isCharged ? price.perSecondMicros : 0,
    leasedAtMs: lease === null ? 0 : Date.parse(lease.leasedAt),
    maxRuntimeMs: lease === null ? 0 : Math.ceil(lease.maxRuntimeMs),
    maxForSeconds: Math.max(0, reserved - price.perJob),
  };
}

/** Credits of a job that ended at this time: rounded up once, at most what was reserved. */
export function creditsOf(terms: ChargeTerms, endedAtMs: number): number {
  const ranMs = Math.max(0, Math.min(endedAtMs - terms.leasedAtMs, terms.maxRuntimeMs));
  return terms.flat + Math.min(terms.maxForSeconds, secondsPart(terms.perSecondMicros, ranMs));
}

/** What an ended job costs. */
export function charge(job: EndedJob): number {
  return creditsOf(chargeTerms(job), Date.parse(job.completedAt));
}

function isChargedEnd(job: EndedJob): boolean {
  switch (job.status) {
    case 'succeeded':
    case 'canceled':
      return true;
    case 'failed':
      return CHARGED_FAILURES.has(job.error.code);
    case 'expired':
      return false;
  }
}

const MICROS_TIMES_MS = 1_000_000_000n;

/** In whole numbers of any size: a product of both may exceed what a double holds exactly. */
function secondsPart(perSecondMicros: number, milliseconds: number): number {
  const micros = BigInt(perSecondMicros) * BigInt(Math.ceil(milliseconds));
  return Number((micros + MICROS_TIMES_MS - 1n) / MICROS_TIMES_MS);
}
