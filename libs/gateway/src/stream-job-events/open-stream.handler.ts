import { Inject, Injectable } from '@nestjs/common';
import { accepted, JOBS_PORT, rejected } from '@heddle/contracts-messages';
import type { AccountId, Answer, JobId, JobsPort, JobView, Principal } from '@heddle/contracts-messages';
import type { EarlyNews } from './early-news.js';
import type { EventStream } from './event-stream.js';
import { LiveProjection } from './live-projection.js';
import { StreamSlots } from './stream-slots.js';

/** A job whose stream may be opened: its view, and what was told of it since the reading began. */
export interface OpenedStream {
  readonly job: JobView;
  readonly news: EarlyNews;
  /** For a stream that is not opened after all. */
  readonly giveUp: () => void;
}

/** GET /jobs/{id}/events up to the first frame: a slot is taken, then somebody listens, then the job is read. */
@Injectable()
export class OpenStreamHandler {
  constructor(
    @Inject(JOBS_PORT) private readonly jobs: JobsPort,
    private readonly live: LiveProjection,
    private readonly slots: StreamSlots,
  ) {}

  async handle(principal: Principal, jobId: JobId): Promise<Answer<OpenedStream>> {
    const { accountId } = principal;
    const full = this.slots.take(accountId);
    if (full !== null) return rejected(full);
    const news = this.live.listen(jobId);
    const giveUp = (): void => {
      news.end();
      this.slots.giveBack(accountId);
    };
    const answer = await this.jobs.get(principal, jobId).catch((error: unknown) => {
      giveUp();
      throw error;
    });
    if (answer.ok) return accepted({ job: answer.value, news, giveUp });
    giveUp();
    return answer;
  }

  /** The end of a stream that was opened. */
  leave(accountId: AccountId, jobId: JobId, stream: EventStream): void {
    this.slots.giveBack(accountId);
    this.live.leave(jobId, stream);
  }
}
