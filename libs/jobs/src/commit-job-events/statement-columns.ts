import { encodeJobEvent } from '@heddle/jobs-domain';
import { plainArray } from '../group-commit/byte-arena.js';
import type { ByteArena } from '../group-commit/byte-arena.js';
import type { NamedArguments } from '../group-commit/function-call.js';
import { newOutputs } from './change-plan.js';
import type { CommitItem } from './change-plan.js';

/** One array per event column; `starts` and `lengths` are the slices of the arena with the events' data. */
export function eventColumns(items: readonly CommitItem[], arena: ByteArena): NamedArguments {
  const events = items.flatMap(({ plan }) =>
    plan.events.map((planned) => ({ ...planned, slice: arena.add(Buffer.from(encodeJobEvent(planned.event))) })),
  );
  return {
    event_ids: plainArray(events.map((event) => event.eventId)),
    versions: plainArray(events.map((event) => event.version)),
    types: plainArray(events.map((event) => event.event.type)),
    event_fences: plainArray(events.map((event) => event.fence)),
    // Arrays without nulls have fast element access; worker sequences start at 1.
    sequences: plainArray(events.map((event) => event.workerSequence ?? 0)),
    terminals: plainArray(events.map((event) => event.ends)),
    starts: plainArray(events.map((event) => event.slice.at)),
    lengths: plainArray(events.map((event) => event.slice.length)),
    event_statuses: plainArray(events.map((event) => event.status)),
  };
}

/** One array per column of new outputs; items are counted from 1, and keys are slices of the arena. */
export function outputColumns(items: readonly CommitItem[], arena: ByteArena): NamedArguments {
  const outputs = items.flatMap(({ plan }, index) =>
    newOutputs(plan).map(([ordinal, output]) => {
      return { item: index + 1, ordinal, key: arena.add(Buffer.from(output.key)), output };
    }),
  );
  return {
    output_items: plainArray(outputs.map(({ item }) => item)),
    ordinals: plainArray(outputs.map(({ ordinal }) => ordinal)),
    key_starts: plainArray(outputs.map(({ key }) => key.at)),
    key_lengths: plainArray(outputs.map(({ key }) => key.length)),
    outputs: outputs.map(({ output }) => JSON.stringify(output)),
  };
}
