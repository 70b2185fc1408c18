import type { SequencerAlarm, SequencerOptions } from './sequencer-options.js';

const RESTORED =
  'the log was restored from another server, so no event gets a number; stop all services and run heddle migrate --adopt-restored-log';

interface TroubleLog {
  warn(what: string, facts: Readonly<Record<string, unknown>>): void;
  error(what: string, error: unknown): void;
}

/** Options of a sequencer that log why events get no numbers. */
export function reportedTrouble(log: TroubleLog): Pick<Required<SequencerOptions>, 'onAlarm' | 'onError'> {
  return {
    onAlarm: (alarm: SequencerAlarm) =>
      log.warn(alarm.kind === 'restored' ? RESTORED : 'the log is stalled', { ...alarm }),
    onError: (error: unknown) => log.error('the log was not sequenced', error),
  };
}
