import { encodeJobEvent } from '@heddle/jobs-domain';
import { plainArray } from '../group-commit/byte-arena.js';
import type { ByteArena } from '../group-commit/byte-arena.js';
import { newOutputs } from './change-plan.js';
import type { CommitItem } from './change-plan.js';

/**
 * One array per event column: id, version, type, fence, worker's sequence, ends the job, offset and length of its data
 * in the arena, status.
 */
export function eventColumns(items: readonly CommitItem[], arena: ByteArena): readonly unknown[] {
  const events = items.flatMap(({ plan }) =>
    plan.events.map((planned) => ({ ...planned, slice: arena.add(Buffer.from(encodeJobEvent(planned.event))) })),
  );
  return [
    plainArray(events.map((event) => event.eventId)),
    plainArray(events.map((event) => event.version)),
    plainArray(events.map((event) => event.event.type)),
    plainArray(events.map((event) => event.fence)),
    // Arrays without nulls have fast element access; worker sequences start at 1.
    plainArray(events.map((event) => event.workerSequence ?? 0)),
    plainArray(events.map((event) => event.ends)),
    plainArray(events.map((event) => event.slice.at)),
    plainArray(events.map((event) => event.slice.length)),
    plainArray(events.map((event) => event.status)),
  ];
}

/**
 * For every new output: item (from 1), ordinal, offset of its key in the arena, length of the key, the output as JSON.
 */
export function outputColumns(items: readonly CommitItem[], arena: ByteArena): readonly unknown[] {
  const outputs = items.flatMap(({ plan }, index) =>
    newOutputs(plan).map(([ordinal, output]) => {
      return { item: index + 1, ordinal, key: arena.add(Buffer.from(output.key)), output };
    }),
  );
  return [
    plainArray(outputs.map(({ item }) => item)),
    plainArray(outputs.map(({ ordinal }) => ordinal)),
    plainArray(outputs.map(({ key }) => key.at)),
    plainArray(outputs.map(({ key }) => key.length)),
    outputs.map(({ output }) => JSON.stringify(output)),
  ];
}
