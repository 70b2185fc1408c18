import type { DeploymentEvent, DeploymentEventType, Environment, Limits, Options } from './deployment.events.js';

/** A stored event that this build cannot read: written by a newer build, or damaged. */
export class UndecodableDeploymentEvent extends Error {
  override readonly name = 'UndecodableDeploymentEvent';
}

type Decoder<T> = (value: unknown, at: string) => T;
type DataOf<Type extends DeploymentEventType> = Extract<DeploymentEvent, { type: Type }>['data'];

function wrong(at: string, wanted: string): never {
  throw new UndecodableDeploymentEvent(`${at} is not ${wanted}`);
}

const text: Decoder<string> = (value, at) => (typeof value === 'string' ? value : wrong(at, 'a string'));
const number: Decoder<number> = (value, at) =>
  typeof value === 'number' && Number.isFinite(value) ? value : wrong(at, 'a number');
const flag: Decoder<boolean> = (value, at) => (typeof value === 'boolean' ? value : wrong(at, 'true or false'));

function orNull<T>(decode: Decoder<T>): Decoder<T | null> {
  return (value, at) => (value === null ? null : decode(value, at));
}

function oneOf<T extends string>(...allowed: readonly T[]): Decoder<T> {
  return (value, at) => allowed.find((word) => word === value) ?? wrong(at, `one of ${allowed.join(', ')}`);
}

function listOf<T>(decode: Decoder<T>): Decoder<readonly T[]> {
  return (value, at) =>
    Array.isArray(value) ? value.map((item, index) => decode(item, `${at}[${index}]`)) : wrong(at, 'a list');
}

/** Fields are written in the shape's order, so that the encoding is canonical; unknown fields are dropped. */
function record<T extends object>(shape: { readonly [Field in keyof T]: Decoder<T[Field]> }): Decoder<T> {
  const fields = Object.entries(shape) as [string, Decoder<unknown>][];
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(at, 'an object');
    const given = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(fields.map(([field, decode]) => [field, decode(given[field], `${at}.${field}`)])) as T;
  };
}

const options = record<Options>({
  slots: number,
  publicDemo: flag,
  startDelayS: number,
  limits: record<Limits>({ maxRuntimeS: orNull(number), jobRetentionS: orNull(number), queueDepth: orNull(number) }),
});

const environment = record<Environment>({
  revision: number,
  image: orNull(text),
  engine: text,
  engineVersion: orNull(text),
  packages: listOf(record<Environment['packages'][number]>({ id: text, version: text })),
  catalogueHash: orNull(text),
});

const because = record<{ readonly reason: string }>({ reason: text });

/** Schema version 1 of each event. */
const decoders: { readonly [Type in DeploymentEventType]: Decoder<DataOf<Type>> } = {
  DeploymentCreated: record({
    label: text,
    stage: oneOf('production', 'staging'),
    accountId: orNull(text),
    provider: oneOf('local', 'external'),
    options,
    environment,
    reason: text,
  }),
  OptionsChanged: record({ options }),
  DeploymentStarting: because,
  DeploymentReady: because,
  DeploymentUnavailable: because,
  DeploymentPaused: because,
  DeploymentResumed: because,
  DrainRequested: because,
  DeploymentStopped: because,
  StartRequested: because,
  DeploymentDeleted: because,
  RepinRequested: record({ environment }),
  RevisionActivated: record({ revision: number }),
  RevisionRetired: record({ revision: number }),
  RepinAbandoned: record({ revision: number, reason: text }),
};

export const DEPLOYMENT_EVENT_TYPES = Object.keys(decoders) as readonly DeploymentEventType[];
export const DEPLOYMENT_EVENT_SCHEMA_VERSION = 1;

/** The payload as it is stored: only the fields of its shape, in its order. */
export function encodeDeploymentEvent({ type, data }: DeploymentEvent): string {
  return JSON.stringify(decoders[type](data, type));
}

/** Decodes a stored payload; throws `UndecodableDeploymentEvent` if this build cannot. */
export function decodeDeploymentEvent(type: string, schemaVersion: number, data: string): DeploymentEvent {
  if (!Object.hasOwn(decoders, type)) throw new UndecodableDeploymentEvent(`unknown deployment event type ${type}`);
  if (schemaVersion !== DEPLOYMENT_EVENT_SCHEMA_VERSION)
    throw new UndecodableDeploymentEvent(`${type} has schema version ${schemaVersion}, this build reads 1`);
  const known = type as DeploymentEventType;
  return { type: known, data: decoders[known](parsed(type, data), type) } as DeploymentEvent;
}

function parsed(type: string, data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw new UndecodableDeploymentEvent(`the data of ${type} is not JSON`);
  }
}
