export {
  EVENT_COLUMNS,
  eventEnvelopeMigrationSql,
  eventLogMigrationSql,
  MAX_EVENT_BYTES,
} from './schema/event-log-migration.js';
export { eventPartitionsMigrations } from './schema/event-partitions.js';
export { eventNumbersMigration } from './schema/event-numbers-migration.js';
export { eventLogFunctions } from './schema/event-log-functions.js';
export { copyNumbers } from './read-events/copy-numbers.js';
export { eventOfLink } from './read-events/event-of-link.js';
export { eventOfNumberSql } from './read-events/event-of-number.js';
export { linkOfEvent } from './read-events/link-of-event.js';
export { readFrom, newestStreams, readNumbered, readStream } from './read-events/read-events.js';
export { EVENT_SELECT, storedEvent } from './read-events/stored-event.js';
export type { EventRow, NumberedEvent, SequencedEvent, StoredEvent } from './read-events/stored-event.js';
export { reportedTrouble } from './sequence-events/reported-trouble.js';
export { Sequencer } from './sequence-events/sequencer.js';
export type { PartitionedLog } from './schema/event-partitions.js';
export type { SequencerAlarm, SequencerOptions, SequencerTurn } from './sequence-events/sequencer-options.js';
export { LogReader, StoppedBefore } from './relay-events/log-reader.js';
export type { LogReaderOptions } from './relay-events/log-reader.js';
export { unrecordedPartitions } from './verify-log/unrecorded-partitions.js';
export { NoTrustedCheckpointError, verifyLog } from './verify-log/verify-log.js';
export type { LogHead, LogProgress, LogReport, VerifyLogOptions } from './verify-log/verify-log.js';
export { CheckpointFolderError } from './verify-log/checkpoint-files.js';
export { FaultList, MAX_FAULTS } from './verify-log/log-fault.js';
export type { LogFault, LogFaultKind } from './verify-log/log-fault.js';
export { check, sign } from './checkpoints/signed-checkpoint.js';
export type { SignedCheckpoint } from './checkpoints/signed-checkpoint.js';
export { checkpointFileName, checkpointJson } from './checkpoints/checkpoint-file.js';
export { CheckpointFolder } from './checkpoints/checkpoint-folder.js';
export type { FoundCheckpoint } from './checkpoints/checkpoint-folder.js';
export { adoptRestoredLog } from './adopt-restored-log/adopt-restored-log.js';
