import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { JobLogPort, JobMessage } from '@heddle/contracts-messages';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Counter, Gauge } from 'prom-client';
import type { BusMessage } from '../bus/message-bus.js';
import { Inbox } from './inbox.js';
import type { InboxSession, LoggedEvent } from './inbox.js';
import { LogFollower } from './log-follower.js';
import type { FollowerNotice } from './log-follower.js';
import { INBOX_METRICS } from '../metrics.js';

interface JobFollowerOptions<Session extends InboxSession> {
  /** Schema of the service, with the tables of `inboxMigrationSql`. */
  readonly schema: string;
  readonly jobLog: Pick<JobLogPort, 'messagesAfter'>;
  readonly transaction: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  /**
   * Applies the effects of the messages, each exactly once. Messages may arrive out of log order; effects must not
   * depend on it.
   */
  readonly apply: (session: Session, messages: readonly JobMessage[]) => Promise<void>;
  readonly isOutage: (error: unknown) => boolean;
  readonly metrics: MetricsRegistry;
  readonly logger: { warn(line: string): void; error(line: string): void };
  /** How long without a new event before the jobs service is asked; default 10,000. */
  readonly patienceMs?: number;
}

interface LoggedMessage extends LoggedEvent {
  readonly message: JobMessage;
}

/** A message without its log position: no build of Heddle publishes one. */
export class UnplacedMessageError extends Error {
  constructor(id: string) {
    super(`the message ${id} has no header seq with its place in the log`);
    this.name = 'UnplacedMessageError';
  }
}

/**
 * Follows the log of jobs: takes messages from the bus, and asks the jobs service for those that the bus did not
 * deliver.
 */
export class JobFollower<Session extends InboxSession = InboxSession> {
  readonly #follower: LogFollower<LoggedMessage, Session>;
  readonly #logger: JobFollowerOptions<Session>['logger'];
  readonly #place: Gauge<never>;
  readonly #failed: Gauge<never>;
  readonly #caughtUp: Counter<never>;
  #failures = 0;
  #away: string | null = null;
  /** The bus does not deliver: said once, until it delivers again. */
  #readsLog = false;

  constructor(options: JobFollowerOptions<Session>) {
    const { schema, jobLog, apply, metrics, logger } = options;
    this.#logger = logger;
    this.#place = metrics.gauge(INBOX_METRICS.inboxPlace);
    this.#failed = metrics.gauge(INBOX_METRICS.inboxFailed);
    this.#caughtUp = metrics.counter(INBOX_METRICS.inboxCaughtUp);
    this.#follower = new LogFollower({
      ...options,
      inbox: new Inbox(schema, JOB_EVENTS_TOPIC),
      apply: async (session, events) =>
        await apply(
          session,
          events.map(({ message }) => message),
        ),
      pageAfter: async (seq, limit) => {
        const { messages, after, head } = await jobLog.messagesAfter(seq, limit);
        const events = messages.map((entry) => ({ id: entry.message.eventId, seq: entry.seq, message: entry.message }));
        return { events, after, head };
      },
      notice: (notice) => this.#notice(notice),
    });
  }

  async handle(batch: readonly BusMessage[]): Promise<void> {
    await this.#follower.handle(batch.map(loggedMessage));
    if (!this.#readsLog) return;
    this.#readsLog = false;
    this.#logger.warn('the bus delivers job events again');
  }

  start(everyMs: number): void {
    this.#follower.start(everyMs);
  }

  async stop(): Promise<void> {
    await this.#follower.stop();
  }

  /** Checks the place once; if it has not moved for long, reads the log until nothing is missing. */
  async turn(): Promise<void> {
    await this.#follower.turn();
  }

  /** For `/readyz`: what this service has not applied, or null if nothing is known to be missing. */
  waitingFor(): string | null {
    if (this.#failures > 0) {
      return `${this.#failures} job events could not be applied: see heddle dead-letters list and heddle_inbox_failed_events`;
    }
    return this.#away;
  }

  #notice(notice: FollowerNotice): void {
    switch (notice.kind) {
      case 'state':
        this.#failures = notice.failures;
        this.#place.set(notice.place);
        this.#failed.set(notice.failures);
        return;
      case 'caught_up':
        this.#caughtUp.inc(notice.events);
        if (this.#readsLog) return;
        this.#readsLog = true;
        this.#logger.warn(
          `${notice.events} job events were read from the log because the bus did not deliver them; applied up to ${notice.place} of ${notice.head}`,
        );
        return;
      case 'failed_event':
        this.#logger.error(
          `the job event ${notice.event.id} (seq ${notice.event.seq}) was not applied: ${notice.reason}`,
        );
        return;
      case 'other_log':
        this.#logger.error(
          `the log of jobs has another event at seq ${notice.place} than the one that was applied, or none: a database was restored. It is followed again from its beginning`,
        );
        return;
      case 'away':
        this.#logAway(notice.error);
        return;
      case 'in_reach':
        this.#away = null;
    }
  }

  /** Logs once per outage. */
  #logAway(error: unknown): void {
    const reason = errorMessage(error);
    if (this.#away === null) this.#logger.warn(`missed job events cannot be read from the jobs service: ${reason}`);
    this.#away = `missed job events cannot be read from the jobs service: ${reason}`;
  }
}

function loggedMessage({ id, headers, payload }: BusMessage): LoggedMessage {
  const seq = Number(headers['seq'] ?? NaN);
  if (!Number.isSafeInteger(seq) || seq < 1) throw new UnplacedMessageError(id);
  return { id, seq, message: payload as JobMessage };
}
