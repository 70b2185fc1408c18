import type { Database, ServerNotice } from '@heddle/platform-database';
import { ProcessLives } from '../supervise/process-lives.js';
import type { LivesWatch } from '../supervise/process-lives.js';

/** Runs of the embedded PostgreSQL server, as its own supervision reports them. */
export class DatabaseLives {
  readonly lives: ProcessLives;

  constructor(
    private readonly database: Pick<Database, 'ownerUrl' | 'server'>,
    private readonly watch: LivesWatch,
  ) {
    const place = {
      name: 'postgres',
      logFile: database.server?.folder.log ?? '',
      port: this.#port,
      callsPort: null,
      opsPort: null,
    };
    this.lives = new ProcessLives(place, watch);
    this.lives.runs(database.server?.pid);
  }

  hear(notice: ServerNotice): void {
    switch (notice.kind) {
      case 'lost':
        if (notice.end === null) this.watch.say('the connection to postgres was lost: connecting again');
        else this.lives.ended(notice.end);
        break;
      case 'reconnected':
        this.watch.say('connected to postgres again');
        break;
      case 'recovering':
        this.watch.say('postgres runs and takes no connections yet: connecting again');
        break;
      case 'restart_failed':
        this.lives.ended(`it did not start: ${notice.error.message.split('\n', 1)[0]}`);
        break;
      case 'taken':
        this.watch.gaveUp(notice.error.message);
        break;
      case 'restarted':
        this.#isBack();
        break;
      case 'relocated':
      case 'adopted':
    }
  }

  /** Services know only its first port. */
  #isBack(): void {
    const first = this.lives.place.port;
    if (this.#port === first) this.lives.runs(this.database.server?.pid);
    else this.watch.gaveUp(`postgres restarted on port ${this.#port}, because another process uses its port ${first}`);
  }

  get #port(): number {
    return Number(new URL(this.database.ownerUrl).port);
  }
}
