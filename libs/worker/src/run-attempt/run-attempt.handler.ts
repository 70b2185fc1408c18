import type {
  JobLease,
  LogsPort,
  ReportVerdict,
  WorkerAssetsPort,
  WorkerOutcome,
  WorkPort,
  WorkSession,
} from '@heddle/contracts-messages';
import { newUuid, surfaceOf } from '@heddle/contracts-messages';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import type { Engine, EngineObserver, EngineOutcome } from '@heddle/engine-port';
import { AttemptLog } from '../capture-log/attempt-log.js';
import { LogCaptor } from '../capture-log/log-captor.js';
import { LeaseReporter } from '../report-events/lease-reporter.js';
import type { Logger, Tracer } from '@heddle/platform-telemetry';
import { AttemptTrace } from '../trace-attempt/attempt-trace.js';
import type { WorkerSettings } from '../settings.js';
import type { AttemptControl } from './attempt-control.js';
import { GuardedInputs } from './guarded-inputs.js';
import { OutputIntake } from './output-intake.js';
import { OutputStore } from './output-store.js';
import { ProgressTracker } from './progress-tracker.js';
import { resolveInputs } from './resolve-inputs.js';
import { waitForAssets } from './wait-for-assets.js';
import { whenStored } from './when-stored.js';
import { loadCatalogue } from '@heddle/workflow-graph';
import type { Catalogue } from '@heddle/workflow-graph';

/** The ports that a worker uses. */
export interface WorkerPorts {
  readonly engine: Engine;
  readonly work: WorkPort;
  readonly assets: WorkerAssetsPort;
  /** Null or absent: execution logs are lost. */
  readonly logs?: Pick<LogsPort, 'capture'> | null;
  /** Null if tracing is off. */
  readonly tracer: Tracer | null;
  readonly logger?: Pick<Logger, 'debug' | 'warn'>;
}

/** Runs one leased job on the engine and reports its end. Never throws. */
export class RunAttemptHandler {
  readonly #ports: Omit<WorkerPorts, 'work'>;
  readonly #session: WorkSession;
  readonly #settings: WorkerSettings;
  readonly #logs: LogCaptor;
  #loadedCatalogue: { readonly text: string; readonly catalogue: Catalogue } | null = null;

  constructor(ports: Omit<WorkerPorts, 'work'>, session: WorkSession, settings: WorkerSettings) {
    this.#ports = ports;
    this.#session = session;
    this.#settings = settings;
    this.#logs = new LogCaptor(ports.logs ?? null, settings);
  }

  /** `leaveEngine` is called when the engine is no longer needed; then only the end must be stored. */
  async handle(leased: JobLease, control: AttemptControl, leaveEngine: () => void): Promise<void> {
    const trace = new AttemptTrace(this.#ports.tracer, leased);
    await trace.run(async () => await this.#handle(trace, control, leaveEngine));
  }

  async #handle(trace: AttemptTrace, control: AttemptControl, leaveEngine: () => void): Promise<void> {
    const { lease } = trace;
    const reporter = new LeaseReporter(this.#session, lease, this.#settings);
    const tracker = new ProgressTracker(lease.nodesTotal, lease.progressFloor);
    const log = AttemptLog.for(lease, this.#ports.engine.environment);
    control.signal.addEventListener('abort', () => {
      if (control.reason === 'lost') reporter.abandon();
    });
    // setTimeout's maximum; the jobs service ends longer overruns by its own clock.
    const runtimeMs = Math.min(lease.maxRuntimeSeconds * 1000, 2 ** 31 - 1);
    const timer = setTimeout(() => control.stop('timeout'), runtimeMs);
    const store = new OutputStore(this.#ports.assets, trace, control, this.#settings);
    const intake = new OutputIntake(store, reporter, control, this.#settings);
    try {
      // Credentials reach the engine only once the attempt counts: a second run with them might charge twice.
      if (lease.credentials !== null) await reporter.started();
      if (reporter.refusal !== null) control.stop('lost');
      const ran = await this.#run(trace, control, observe({ trace, reporter, tracker, intake, log }), intake.broken);
      const endedAt = new Date().toISOString();
      leaveEngine();
      reporter.ranToEnd();
      const ended = await whenStored(ran, intake, control);
      await this.#close({ lease, control, reporter, tracker, log, endedAt }, ended);
      trace.end(ended.kind);
      this.#logEnd(lease, ended, reporter.refusal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The ids of job, trace and attempt are added to each log line. A node's text stays with the job. */
  #logEnd({ attempt }: JobLease, ended: EngineOutcome, refusal: ReportVerdict | null): void {
    const facts = { attempt, outcome: ended.kind };
    if (refusal !== null) this.#ports.logger?.warn({ ...facts, reason: refusal }, 'a report was refused');
    if (ended.kind === 'lost') this.#ports.logger?.warn({ ...facts, reason: ended.reason }, 'an attempt was lost');
    else this.#ports.logger?.debug(facts, 'an attempt has ended');
  }

  async #run(
    trace: AttemptTrace,
    control: AttemptControl,
    observer: EngineObserver,
    broken: AbortSignal,
  ): Promise<EngineOutcome> {
    const { lease } = trace;
    if (control.signal.aborted) return { kind: 'interrupted' };
    try {
      const inputs = this.#inputsOf(lease, control);
      const unfit = await inputs.endBeforeStart();
      if (unfit !== null) return unfit;
      const { workflow, files } = await resolveInputs(lease, inputs, () => this.#catalogue());
      const account = surfaceOf(lease.deploymentId) === 'self-hosted' ? undefined : lease.accountId;
      const request = { runId: newUuid(), account, workflow, files, credentials: lease.credentials ?? undefined };
      const stop = AbortSignal.any([control.signal, broken]);
      return inputs.endOf(await this.#ports.engine.run(request, observer, stop));
    } catch (error) {
      return { kind: 'lost', reason: errorMessage(error) };
    }
  }

  /** Asks again while the assets service is unreachable; a read that breaks off loses the attempt. */
  #inputsOf(lease: JobLease, { signal }: AttemptControl): GuardedInputs {
    return new GuardedInputs(this.#ports.assets, lease, async (call) => {
      return await waitForAssets(call, this.#settings, signal);
    });
  }

  /** Which inputs name files; read for the first job with inputs, and again after the engine's classes changed. */
  async #catalogue(): Promise<Catalogue> {
    const text = await this.#ports.engine.objectInfo();
    if (this.#loadedCatalogue?.text !== text) {
      this.#loadedCatalogue = { text, catalogue: loadCatalogue(Buffer.from(text)) };
    }
    return this.#loadedCatalogue.catalogue;
  }

  async #close(closed: ClosedAttempt, ended: EngineOutcome): Promise<void> {
    const { lease, control, reporter, tracker, log } = closed;
    if (control.reason === 'lost') return;
    if (wasNotRun(ended, control)) {
      await reporter.flush();
      await this.#session.handBack(lease).catch(() => undefined);
      reporter.abandon();
      return;
    }
    const outcome = withNodeRun(outcomeOf(ended, control), closed);
    const captured = log?.close(outcome) ?? null;
    // Before the end is visible, so that its log is there from then on (api-v2, States and transitions).
    if (captured !== null) await this.#logs.capture(captured);
    await reporter.outcome(outcome, outcome.kind === 'succeeded' ? tracker.succeeded() : tracker.snapshot());
  }
}

interface AttemptParts {
  readonly reporter: LeaseReporter;
  readonly tracker: ProgressTracker;
  readonly log: AttemptLog | null;
}

interface ClosedAttempt extends AttemptParts {
  readonly lease: JobLease;
  readonly control: AttemptControl;
  /** When the engine had ended, ISO 8601; its outputs may be stored later. */
  readonly endedAt: string;
}

interface ObservedAttempt extends AttemptParts {
  readonly trace: AttemptTrace;
  readonly intake: OutputIntake;
}

function observe({ trace, reporter, tracker, intake, log }: ObservedAttempt): EngineObserver {
  return {
    ...(log === null ? {} : { log: (text: string) => log.engine(text) }),
    nodeStarted: ({ nodeId, classType }) => {
      log?.nodeStarted(nodeId, classType);
      tracker.started(nodeId, classType);
      reporter.progress(tracker.snapshot());
    },
    nodeProgress: ({ nodeId, step, steps }) => {
      tracker.stepped(nodeId, step, steps);
      reporter.progress(tracker.snapshot());
    },
    nodeFinished: (node) => {
      log?.nodeFinished(node);
      tracker.finished(node.nodeId);
      trace.node(node);
      reporter.durable({ kind: 'node_finished', ...node });
      reporter.progress(tracker.snapshot());
    },
    engineAway: (away) => {
      tracker.engineAway(away);
      reporter.progress(tracker.snapshot());
    },
    preview: (preview) => reporter.preview(preview),
    output: async (output) => await intake.take(output),
  };
}

/**
 * The job goes back to its queue position with its attempt unspent: the worker stops, or the engine never received the
 * graph.
 */
function wasNotRun(ended: EngineOutcome, control: AttemptControl): boolean {
  if (control.reason === 'drain') return ended.kind !== 'succeeded' && ended.kind !== 'failed';
  return control.reason === null && ended.kind === 'lost' && ended.beforeStart === true;
}

/** Combines the engine's outcome with the reason why it was stopped. */
function outcomeOf(ended: EngineOutcome, control: AttemptControl): WorkerOutcome {
  if (ended.kind === 'succeeded') {
    return control.reason === 'output_limit' ? stopped('output_limit') : { kind: 'succeeded' };
  }
  switch (control.reason) {
    case 'timeout':
      return stopped('timeout');
    case 'output_limit':
      return stopped('output_limit');
    case 'cancel':
      return ended.kind === 'failed' ? ended : { kind: 'canceled' };
    case 'lost':
    case 'drain':
    case null:
      if (ended.kind === 'interrupted') return { kind: 'lost', reason: 'the engine was interrupted by somebody else' };
      return ended.kind === 'lost' ? { kind: 'lost', reason: ended.reason } : ended;
  }
}

/** Adds when the node that failed ran; nobody reports its end otherwise. */
function withNodeRun(outcome: WorkerOutcome, { tracker, endedAt }: ClosedAttempt): WorkerOutcome {
  if (outcome.kind !== 'failed' || outcome.nodeId === null) return outcome;
  const startedAt = tracker.startOf(outcome.nodeId);
  return startedAt === null ? outcome : { ...outcome, nodeRun: { startedAt, endedAt } };
}

const STOP_MESSAGES: Readonly<Record<'timeout' | 'output_limit', string>> = {
  timeout: 'the run was longer than the maximum runtime and was ended',
  output_limit: 'the run made more or larger outputs than a job may have',
};

function stopped(code: keyof typeof STOP_MESSAGES): WorkerOutcome {
  return { kind: 'failed', code, message: STOP_MESSAGES[code], nodeId: null, classType: null, traceback: null };
}
