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

  async capture(log: CapturedLog): Promise<CaptureVerdict> {
    const { jobId, fence, workerId, complete } = log;
    const { bytes, isCut } = cutLogText(log.text);
    const request = {
      jobId,
      fence,
      workerId,
      complete,
      text: Buffer.from(bytes),
      truncated: log.truncated || isCut,
      endedAs: log.endedAs ?? '',
    };
    return verdictOf((await this.channel.call(LogsServiceService.capture, request)).verdict);
  }

  async read(principal: Principal, { jobId, fence, endedAs }: LoggedAttempt): Promise<Answer<JobLog>> {
    return answerOf(await this.channel.call(LogsServiceService.read, { principal, jobId, fence, endedAs }), logOf);
  }
}
