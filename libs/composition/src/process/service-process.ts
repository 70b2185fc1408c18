import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BodyBudget } from '@heddle/platform-http/body-budget';
import type { ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { startOpsServer } from '@heddle/platform-http/ops-server';
import type { ReadinessCheck } from '@heddle/platform-http/ops-server';
import { createLogger, createTracer, LostSpans, MetricsRegistry, nestLog } from '@heddle/platform-telemetry';
import type { Logger, NestLog, Tracer } from '@heddle/platform-telemetry';
import { heddleVersion } from '@heddle/platform-telemetry/version';
import { networkLimits } from '../settings/process-settings.js';
import type { Settings } from '../settings/settings.js';
import { guardConnections } from './guard-connections.js';
import { listening } from './listen.js';
import { urlOf } from './listen-address.js';
import { observeProcess } from './observe-process.js';
import { PROCESS_METRICS } from '../metrics.js';

type ErrorKind = abstract new (...args: never[]) => Error;

/** What every process of Heddle has, whatever it serves: settings, log, metrics, probes, and an orderly end. */
export class ServiceProcess {
  readonly logger: Logger;
  /** The same log, for Nest. */
  readonly nestLog: NestLog;
  readonly metrics = new MetricsRegistry();
  /** Bytes of bodies that it may hold at once, on all of its ports together. */
  readonly bodies: BodyBudget;
  /** Of its ports, by their names. */
  readonly guards = new Map<string, ConnectionGuard>();
  /** What `/readyz` names as missing; parts add theirs before they wait for anything. */
  readonly readiness: ReadinessCheck[] = [];
  /** Errors that somebody has to change something for: the message says what. Parts add theirs before they open anything. */
  readonly refusals: ErrorKind[] = [];
  /** Errors of what is around it: another start may go well. The message says it all. */
  readonly troubles: ErrorKind[] = [];
  readonly #stopping = new AbortController();
  readonly #undo: (() => unknown)[] = [];
  #tracer: Promise<Tracer | null> | null = null;
  #serves = false;
  #healthUrl: string | null = null;

  constructor(
    /** e.g. `gateway` */
    readonly name: string,
    readonly settings: Settings,
  ) {
    this.logger = createLogger(settings.logLevel, { service: name });
    this.nestLog = nestLog(this.logger);
    // Node would print them as plain text between the log's lines.
    process.removeAllListeners('warning').on('warning', (warning) => {
      // The Kafka client arms timers in the past, which mean `at once`.
      if (warning.name !== 'TimeoutNegativeWarning') this.logger.warn({ err: warning }, 'warning');
    });
    observeProcess(this.metrics);
    this.bodies = new BodyBudget(networkLimits(settings).bodyBudgetBytes);
    this.metrics.gauge(PROCESS_METRICS.bodyBytes, () => this.bodies.held);
  }

  /** Steps run in the reverse order of their registration, at a stop or when a later part does not start. */
  onStop(step: () => unknown): void {
    this.#undo.push(step);
  }

  /** Aborted when somebody asks it to stop: a start that still waits for something ends. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** From now on it is ready where nothing is missing. */
  serves(): void {
    this.#serves = true;
  }

  askToStop(): void {
    this.#stopping.abort();
  }

  /** Where this machine reads health and metrics; null before they are served. */
  get healthUrl(): string | null {
    return this.#healthUrl;
  }

  async stop(): Promise<void> {
    this.askToStop();
    for (const step of this.#undo.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        this.logger.error({ err: error }, 'a part did not stop cleanly');
      }
    }
  }

  /** Livez, readyz and metrics: first of all, so that a probe can read what the process waits for. */
  async serveOps(): Promise<void> {
    const { opsHost: host, effectiveOpsPort: port } = this.settings;
    const ops = await listening('HEDDLE_OPS_PORT', port, () =>
      startOpsServer({
        host,
        port,
        metrics: this.metrics,
        readiness: this.readiness,
        connections: guardConnections(this, 'ops'),
        notServing: () => this.#notServing(),
      }),
    );
    this.#healthUrl = `${urlOf(host, (ops.address() as AddressInfo).port)}/readyz`;
    this.onStop(() => closeServer(ops));
  }

  #notServing(): string | null {
    if (this.stopping.aborted) return 'it is stopping';
    return this.#serves ? null : 'it is still starting';
  }

  /** Null where no collector is configured. The same one each time; what is opened after it can trace its own end. */
  async openTracer(): Promise<Tracer | null> {
    this.#tracer ??= this.#createTracer();
    return await this.#tracer;
  }

  async #createTracer(): Promise<Tracer | null> {
    const losses = new LostSpans(this.metrics.counter(PROCESS_METRICS.spansLost), this.logger);
    const tracer = await createTracer({ service: `heddle-${this.name}`, version: heddleVersion(), losses });
    if (tracer !== null) this.onStop(() => tracer.close());
    return tracer;
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}
