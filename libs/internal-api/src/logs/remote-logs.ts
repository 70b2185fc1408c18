import { cutLogText } from '@heddle/contracts-messages';
import type { Answer, CapturedLog, CaptureVerdict, JobLog, LoggedAttempt, LogsPort } from '@heddle/contracts-messages';
import type { Principal } from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { answerOf } from '../encode-values/call-answers.js';
import { LogsServiceService } from '../generated/heddle/logs/v1/logs.js';
import { logOf, verdictOf } from './logs-wire.js';

/** Calls the logs service in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteLogs implements LogsPort {
  constructor(private readonly channel: ServiceChannel) {}

  async capture({ text, truncated, complete, endedAs, ...lease }: CapturedLog): Promise<CaptureVerdict> {
    const { bytes, isCut } = cutLogText(text);
    const { jobId, fence, workerId } = lease;
    const parts = { text: Buffer.from(bytes), truncated: truncated || isCut, complete, endedAs: endedAs ?? '' };
    const request = { jobId, fence, workerId, ...parts };
    return verdictOf((await this.channel.call(LogsServiceService.capture, request)).verdict);
  }

  async read(principal: Principal, { jobId, fence, endedAs }: LoggedAttempt): Promise<Answer<JobLog>> {
    return answerOf(await this.channel.call(LogsServiceService.read, { principal, jobId, fence, endedAs }), logOf);
  }
}
