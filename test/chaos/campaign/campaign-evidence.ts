import { LOG_CHECKS } from '../log-checks.ts';
import { PROMISE_CHECKS } from '../promise-checks.ts';
import type { RecordedRun } from '../recorded-run.ts';
import { TABLE_CHECKS } from '../table-checks.ts';
import type { Journal } from './journal.ts';
import { TOPIC_CHECKS } from './topic-checks.ts';
import type { TopicRecord } from './topic-record.ts';
import { WITNESS_CHECKS } from './witness-checks.ts';

/** The data of a campaign for its checks */
export interface Evidence {
  readonly run: RecordedRun;
  readonly journal: Journal;
  readonly topic: readonly TopicRecord[];
  readonly deadLetters: readonly string[];
}

export const CAMPAIGN_CHECKS: readonly string[] = [
  ...LOG_CHECKS,
  ...TABLE_CHECKS,
  ...PROMISE_CHECKS,
  ...TOPIC_CHECKS,
  ...WITNESS_CHECKS,
].map(({ name }) => name);

export interface BrokenCheck {
  readonly name: string;
  readonly faults: readonly string[];
}

/** Every failed check with its faults. */
export function brokenChecks({ run, journal, topic, deadLetters }: Evidence): readonly BrokenCheck[] {
  return [
    ...[...LOG_CHECKS, ...TABLE_CHECKS].map(({ name, faults }) => ({ name, faults: faults(run) })),
    ...PROMISE_CHECKS.map(({ name, faults }) => ({ name, faults: faults({ run, history: journal }) })),
    ...TOPIC_CHECKS.map(({ name, faults }) => ({
      name,
      faults: faults({ run, topic, deadLetters, strikes: journal.strikes }),
    })),
    ...WITNESS_CHECKS.map(({ name, faults }) => ({ name, faults: faults({ run, journal }) })),
  ].filter(({ faults }) => faults.length > 0);
}
