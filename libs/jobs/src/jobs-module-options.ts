import type { Database } from '@heddle/platform-database';
import type { MessageBus } from '@heddle/platform-message-bus';
import type { Logger, MetricsRegistry, Tracer } from '@heddle/platform-telemetry';
import type { ConnectPeer } from './notify-peers/peers.js';
import type { JobsReadiness } from './jobs-telemetry/observed.js';
import type { LiveJobFeed } from './relay-job-events/live-jobs.js';
import type { CredentialKeys } from './seal-credentials/credential-keys.js';
import type { JobsSettings } from './settings.js';

/** What a process gives to the module of jobs. */
export interface JobsModuleOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly settings?: Partial<JobsSettings>;
  readonly metrics?: MetricsRegistry;
  readonly logger?: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Null or absent: tracing is off. */
  readonly tracer?: Tracer | null;
  /** Notifies this process's open streams of committed events. */
  readonly feed?: LiveJobFeed;
  /** Carries events to other services in log order, and progress to gateways. */
  readonly bus?: MessageBus;
  /**
   * This process is alone on its database: it takes the sequencer's lease without waiting for the old one to expire.
   */
  readonly alone?: boolean;
  /**
   * Where other replicas reach this one's internal port, such as `http://10.0.0.7:9101`; without it there are no other
   * replicas.
   */
  readonly address?: string;
  /** Calls another replica at such an address. */
  readonly peers?: ConnectPeer;
  /** Folder of signed checkpoints of the log; null or absent: checkpoints only in the database. */
  readonly checkpoints?: { readonly folder: string; readonly keyFile: string | null } | null;
  /** Keys that seal partner credentials; null or absent: no surface of this process stores any. */
  readonly credentialKeys?: CredentialKeys | null;
  /** Receives the checks of the relay and the log. */
  readonly readiness?: JobsReadiness;
}
