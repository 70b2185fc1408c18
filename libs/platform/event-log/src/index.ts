export {
  EVENT_COLUMNS,
  eventEnvelopeMigrationSql,
  eventLogMigrationSql,
  MAX_EVENT_BYTES,
} from './schema/event-log-migration.js';
export { appendEventsSql, appendParameters } from './append-events/append-events.js';
export type { NewEvent } from './append-events/append-events.js';
export { readFrom, readStream } from './read-events/read-events.js';
export { EVENT_SELECT, storedEvent } from './read-events/stored-event.js';
export type { EventRow, SequencedEvent, StoredEvent } from './read-events/stored-event.js';
export { Sequencer } from './sequence-events/sequencer.js';
export type { SequencerAlarm, SequencerOptions, SequencerTurn } from './sequence-events/sequencer-options.js';
export { LogReader, StoppedBefore } from './relay-events/log-reader.js';
export type { LogReaderOptions } from './relay-events/log-reader.js';
export { chainLink, verifyChain } from './verify-chain/verify-chain.js';
export type { ChainFault, ChainReport } from './verify-chain/verify-chain.js';
export { adoptRestoredLog } from './adopt-restored-log/adopt-restored-log.js';
