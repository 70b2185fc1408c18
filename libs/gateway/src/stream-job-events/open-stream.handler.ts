import type { Socket } from 'node:net';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { accepted, JOBS_PORT, KEY_CHECK, rejected } from '@heddle/contracts-messages';
import type { AccountId, Answer, JobId, JobsPort, KeyCheck, KeyHolder } from '@heddle/contracts-messages';
import type { ReadyStream } from '@heddle/platform-http';
import type { Admission } from '../authenticate/admission.js';
import type { RenderContext } from '../render-wire/render-context.js';
import { EventStream } from './event-stream.js';
import { LiveProjection } from './live-projection.js';
import { StreamSlots } from './stream-slots.js';

/** GET /jobs/{id}/events: takes a slot, then subscribes, then reads the job, so that no event in between is missed. */
@Injectable()
export class OpenStreamHandler {
  constructor(
    @Inject(JOBS_PORT) private readonly jobs: JobsPort,
    private readonly live: LiveProjection,
    private readonly slots: StreamSlots,
    @Optional() @Inject(KEY_CHECK) private readonly keys: KeyCheck | null,
  ) {}

  async handle(
    { principal, limits, holder }: Admission,
    jobId: JobId,
    context: RenderContext,
  ): Promise<Answer<ReadyStream>> {
    const { accountId } = principal;
    const full = this.slots.take(accountId, limits?.streams ?? undefined);
    if (full !== null) return rejected(full);
    const buffered = this.live.listen(jobId);
    const giveUp = (): void => {
      buffered.end();
      this.slots.giveBack(accountId);
    };
    const answer = await this.jobs.get(principal, jobId).catch((error: unknown) => {
      giveUp();
      throw error;
    });
    if (!answer.ok) {
      giveUp();
      return answer;
    }
    const begin = (socket: Socket): void => {
      const stream = new EventStream(socket, context, this.live.onSkipped);
      socket.once('close', this.#leaver(accountId, jobId, stream));
      this.#endWithKey(holder, stream, socket);
      this.live.join(principal, answer.value, buffered, stream);
    };
    return accepted({ begin, giveUp });
  }

  /** A stream outlives its admission: it ends once its key or its account does. */
  #endWithKey(holder: KeyHolder | null, stream: EventStream, socket: Socket): void {
    if (holder === null || this.keys === null) return;
    socket.once(
      'close',
      this.keys.follow(holder, () => stream.end()),
    );
  }

  /** The listener lives as long as the stream: it must not capture the view or the request. */
  #leaver(accountId: AccountId, jobId: JobId, stream: EventStream): () => void {
    return () => {
      this.slots.giveBack(accountId);
      this.live.leave(jobId, stream);
    };
  }
}
