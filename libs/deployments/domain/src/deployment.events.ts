// These names and shapes are stored for ever: add, never edit. A payload repeats no id of the envelope and must not
// contain a credential.

/** Limits of its own; null: the setting. */
export interface Limits {
  readonly maxRuntimeS: number | null;
  readonly jobRetentionS: number | null;
  readonly queueDepth: number | null;
}

export interface Options {
  readonly slots: number;
  readonly publicDemo: boolean;
  /** The local provider waits so long before each start. */
  readonly startDelayS: number;
  readonly limits: Limits;
}

/** One revision of what a deployment runs; it never changes. */
export interface Environment {
  readonly revision: number;
  readonly image: string | null;
  readonly engine: string;
  readonly engineVersion: string | null;
  readonly packages: readonly { readonly id: string; readonly version: string }[];
  /** Null: the engine's own catalogue. */
  readonly catalogueHash: string | null;
}

export interface DeploymentCreated {
  readonly type: 'DeploymentCreated';
  readonly data: {
    readonly label: string;
    readonly stage: 'production' | 'staging';
    /** Null: open to every account. */
    readonly accountId: string | null;
    readonly provider: 'local' | 'external';
    readonly options: Options;
    readonly environment: Environment;
    readonly reason: string;
  };
}
export interface OptionsChanged {
  readonly type: 'OptionsChanged';
  readonly data: { readonly options: Options };
}

interface WithReason {
  readonly reason: string;
}
/** The provider has taken the start: its workers are on their way. */
export interface DeploymentStarting {
  readonly type: 'DeploymentStarting';
  readonly data: WithReason;
}
export interface DeploymentReady {
  readonly type: 'DeploymentReady';
  readonly data: WithReason;
}
export interface DeploymentUnavailable {
  readonly type: 'DeploymentUnavailable';
  readonly data: WithReason;
}
export interface DeploymentPaused {
  readonly type: 'DeploymentPaused';
  readonly data: WithReason;
}
export interface DeploymentResumed {
  readonly type: 'DeploymentResumed';
  readonly data: WithReason;
}
export interface DrainRequested {
  readonly type: 'DrainRequested';
  readonly data: WithReason;
}
export interface DeploymentStopped {
  readonly type: 'DeploymentStopped';
  readonly data: WithReason;
}
export interface StartRequested {
  readonly type: 'StartRequested';
  readonly data: WithReason;
}
export interface DeploymentDeleted {
  readonly type: 'DeploymentDeleted';
  readonly data: WithReason;
}
export interface RepinRequested {
  readonly type: 'RepinRequested';
  readonly data: { readonly environment: Environment };
}
export interface RevisionActivated {
  readonly type: 'RevisionActivated';
  readonly data: { readonly revision: number };
}
/** Every job of an older revision has ended: its workers stop. */
export interface RevisionRetired {
  readonly type: 'RevisionRetired';
  readonly data: { readonly revision: number };
}
export interface RepinAbandoned {
  readonly type: 'RepinAbandoned';
  readonly data: { readonly revision: number; readonly reason: string };
}

export type DeploymentEvent =
  | DeploymentCreated
  | OptionsChanged
  | DeploymentStarting
  | DeploymentReady
  | DeploymentUnavailable
  | DeploymentPaused
  | DeploymentResumed
  | DrainRequested
  | DeploymentStopped
  | StartRequested
  | DeploymentDeleted
  | RepinRequested
  | RevisionActivated
  | RevisionRetired
  | RepinAbandoned;

export interface RecordedDeploymentEvent {
  readonly event: DeploymentEvent;
  /** RFC 3339, UTC, milliseconds. */
  readonly recordedAt: string;
}
