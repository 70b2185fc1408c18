import type { SchemaFunction } from '@heddle/platform-database';
import { ageingFunctions } from './ageing-functions.js';
import type { PartitionedLog } from './event-partitions.js';
import { partitionFunctions } from './partition-functions.js';
import { relayFunctions } from './relay-functions.js';
import { sequencerFunctions } from './sequencer-functions.js';

/**
 * The functions of a partitioned log, in order of application. `isOver` is the service's SQL condition under which the
 * partition of the stream ids from `p_from` to `p_to` may be detached.
 */
export function eventLogFunctions(log: PartitionedLog, isOver: string): readonly SchemaFunction[] {
  return [
    ...partitionFunctions(log),
    ...sequencerFunctions(log.schema),
    ...ageingFunctions(log, isOver),
    ...relayFunctions(log),
  ];
}
