import { cutLogText } from '@heddle/contracts-messages';
import type { Answer, CapturedLog, CaptureVerdict, JobId, JobLog, LogsPort } from '@heddle/contracts-messages';
import type { Principal } from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { answerOf } from '../encode-values/call-answers.js';
import { LogsServiceService } from '../generated/heddle/logs/v1/logs.js';
import { logOf, verdictOf } from './logs-wire.js';

/** Calls the logs service in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteLogs implements LogsPort {
  constructor(private readonly channel: ServiceChannel) {}

  async capture({ jobId, fence, workerId, text, truncated, complete }: CapturedLog): Promise<CaptureVerdict> {
    const { bytes, isCut } = cutLogText(text);
    const named = { jobId, fence, workerId };
    const request = { ...named, text: Buffer.from(bytes), truncated: truncated || isCut, complete };
    return verdictOf((await this.channel.call(LogsServiceService.capture, request)).verdict);
  }

  async read(principal: Principal, jobId: JobId): Promise<Answer<JobLog>> {
    return answerOf(await this.channel.call(LogsServiceService.read, { principal, jobId }), logOf);
  }
}
