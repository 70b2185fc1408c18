import { codecOf, flag, listOf, number, oneOf, orNull, record, text } from '@heddle/event-codec';
import type { DeploymentEvent, Environment, Limits, Options } from './deployment.events.js';

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
const codec = codecOf<DeploymentEvent>('deployment', {
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
});

export const DEPLOYMENT_EVENT_TYPES = codec.types;
export const DEPLOYMENT_EVENT_SCHEMA_VERSION = 1;
export const encodeDeploymentEvent = codec.encode;
export const decodeDeploymentEvent = codec.decode;
