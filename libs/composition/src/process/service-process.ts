import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BodyBudget } from '@heddle/platform-http/body-budget';
import { presenceOf, startOpsServer } from '@heddle/platform-http/ops-server';
import type { ReadinessCheck, RequestHandler } from '@heddle/platform-http/ops-server';
import { createLogger, createTracer, LostSpans, MetricsRegistry, nestLog } from '@heddle/platform-telemetry';
import type { Logger, NestLog, Tracer } from '@heddle/platform-telemetry';
import { heddleVersion } from '@heddle/platform-telemetry/version';
import { observeCertificate } from '../calls/observe-certificate.js';
import { certificateInUse } from '../calls/renew-tls.js';
import { observeServiceToken } from '../calls/observe-service-token.js';
import { networkLimits } from '../settings/process-settings.js';
import type { Settings } from '../settings/settings.js';
import { listening } from './listen.js';
import { urlOf } from './listen-address.js';
import { observeProcess } from './observe-process.js';
import { PortGuards } from './port-guards.js';
import { StopSteps } from './stop-steps.js';
import { PROCESS_METRICS } from '../metrics.js';

type ErrorKind = abstract new (...args: never[]) => Error;

/** Common parts of every Heddle process: settings, log, metrics, probes, and an orderly stop. */
export class ServiceProcess {
  readonly logger: Logger;
  /** The same log, for Nest. */
  readonly nestLog: NestLog;
  readonly metrics = new MetricsRegistry();
  /** Maximum body bytes held at once on all of its ports. */
  readonly bodies: BodyBudget;
  /** Guards of its ports. */
  readonly ports: PortGuards;
  readonly #readiness: ReadinessCheck[] = [];
  readonly #refusals: ErrorKind[] = [];
  readonly #troubles: ErrorKind[] = [];
  readonly #stopping = new AbortController();
  readonly #steps = new StopSteps();
  #tracer: Promise<Tracer | null> | null = null;
  #serves = false;
  #healthUrl: string | null = null;
  #admin: RequestHandler | null = null;

  constructor(
    /** e.g. `gateway` */
    readonly name: string,
    readonly settings: Settings,
  ) {
    this.logger = createLogger(settings.logLevel, { service: name });
    this.nestLog = nestLog(this.logger);
    // Node would print them as plain text between the log's lines.
    process.removeAllListeners('warning').on('warning', (warning) => {
      // The Kafka client sets timers in the past, which fire at once.
      if (warning.name !== 'TimeoutNegativeWarning') this.logger.warn({ err: warning }, 'warning');
    });
    observeProcess(this.metrics);
    observeCertificate(this.metrics, () => certificateInUse(this));
    observeServiceToken(this.metrics, settings);
    this.metrics.gauge(PROCESS_METRICS.dependencyUp, () => presenceOf(this.#readiness));
    this.ports = new PortGuards(settings, this.metrics);
    this.bodies = new BodyBudget(networkLimits(settings).bodyBudgetBytes);
    this.metrics.gauge(PROCESS_METRICS.bodyBytes, () => this.bodies.held);
  }

  /** Steps run in reverse order of registration, at a stop or when a later part fails to start. `part`: for the log. */
  onStop(part: string, step: () => unknown): void {
    this.#steps.add(part, step);
  }

  /** Parts that a stop has not ended yet, the one that is ending first. */
  get unfinished(): readonly string[] {
    return this.#steps.unfinished;
  }

  /** Checks of `/readyz`. Parts add theirs before they wait for anything. */
  get readiness(): readonly ReadinessCheck[] {
    return this.#readiness;
  }

  addReadiness(...checks: readonly ReadinessCheck[]): void {
    this.#readiness.push(...checks);
  }

  /** Errors that an operator must fix: the message says how. Parts add theirs before they open anything. */
  addRefusals(...kinds: readonly ErrorKind[]): void {
    this.#refusals.push(...kinds);
  }

  /** Errors of the environment: another start may succeed. The message is enough. */
  addTroubles(...kinds: readonly ErrorKind[]): void {
    this.#troubles.push(...kinds);
  }

  /** Whose fault a failed start is; null: the error was not foreseen. */
  causeOf(error: unknown): 'operator' | 'environment' | null {
    if (this.#refusals.some((kind) => error instanceof kind)) return 'operator';
    return this.#troubles.some((kind) => error instanceof kind) ? 'environment' : null;
  }

  /** Aborted when a stop is requested: a start that still waits ends. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** From now on it is ready if nothing is missing. */
  serves(): void {
    this.#serves = true;
  }

  askToStop(): void {
    this.#stopping.abort();
  }

  /** Local URL of the operations port; null before it is served. */
  get opsUrl(): string | null {
    return this.#healthUrl === null ? null : new URL(this.#healthUrl).origin;
  }

  /** Answers what lies below `/admin/` on the port of health and metrics. */
  serveAdmin(handler: RequestHandler): void {
    this.#admin = handler;
  }

  /** Local URL of health and metrics; null before they are served. */
  get healthUrl(): string | null {
    return this.#healthUrl;
  }

  async stop(): Promise<void> {
    this.askToStop();
    await this.#steps.run((part, error) => this.logger.error({ err: error, part }, 'a part did not stop cleanly'));
  }

  /** Serves livez, readyz and metrics first, so that a probe can see what the process waits for. */
  async serveOps(): Promise<void> {
    const { opsHost: host, effectiveOpsPort: port } = this.settings;
    const ops = await listening('HEDDLE_OPS_PORT', port, () =>
      startOpsServer({
        host,
        port,
        metrics: this.metrics,
        readiness: this.readiness,
        connections: this.ports.guard('ops'),
        admin: () => this.#admin,
        notServing: () => this.#notServing(),
      }),
    );
    this.#healthUrl = `${urlOf(host, (ops.address() as AddressInfo).port)}/readyz`;
    // A probe sees until the end that the process is not ready.
    this.#steps.addLast('health and metrics', () => closeServer(ops));
  }

  #notServing(): string | null {
    if (this.stopping.aborted) return 'it is stopping';
    return this.#serves ? null : 'it is still starting';
  }

  /** Null if no collector is configured. Always the same one; parts opened after it can trace their own stop. */
  async openTracer(): Promise<Tracer | null> {
    this.#tracer ??= this.#createTracer();
    return await this.#tracer;
  }

  async #createTracer(): Promise<Tracer | null> {
    const losses = new LostSpans(this.metrics.counter(PROCESS_METRICS.spansLost), this.logger);
    const tracer = await createTracer({ service: `heddle-${this.name}`, version: heddleVersion(), losses });
    if (tracer !== null) this.onStop('traces', () => tracer.close());
    return tracer;
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}
