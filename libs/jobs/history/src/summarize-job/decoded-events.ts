import { decodeJobEvent } from '@heddle/jobs-domain';
import type { JobEvent, JobEventType } from '@heddle/jobs-domain';
import type { NumberedEvent } from '@heddle/platform-event-log';

/** An event with its payload as this build reads it; null: purged, or of a newer build. */
interface Decoded<Type extends JobEventType> {
  readonly type: Type;
  readonly version: number;
  readonly fence: number | null;
  readonly recordedAt: string;
  readonly data: Extract<JobEvent, { type: Type }>['data'] | null;
}

export type DecodedEvent = { [Type in JobEventType]: Decoded<Type> }[JobEventType];

export function isOf<Type extends JobEventType>(
  event: DecodedEvent,
  type: Type,
): event is Extract<DecodedEvent, { type: Type }> {
  return event.type === type;
}

export function decodedEvents(stored: readonly NumberedEvent[]): readonly DecodedEvent[] {
  return stored.map(({ type, schemaVersion, version, fence, recordedAt, data }) => {
    // A type of a newer build keeps its name and is equal to none that this build asks for.
    const known = type as JobEventType;
    return { type: known, version, fence, recordedAt, data: decoded(type, schemaVersion, data) } as DecodedEvent;
  });
}

function decoded(type: string, schemaVersion: number, data: Buffer | null): JobEvent['data'] | null {
  if (data === null) return null;
  try {
    return decodeJobEvent(type, schemaVersion, data.toString('utf8')).data;
  } catch {
    return null;
  }
}
