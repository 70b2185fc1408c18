import type {
  Answer,
  ReservedCredits,
  SettledCredits,
  TaskCreditsPort,
  TaskReservation,
  TaskSettlement,
} from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { answerOf } from '../encode-values/call-answers.js';
import { TaskCreditsServiceService } from '../generated/heddle/jobs/v1/task_credits.js';

/** The ledger of the jobs service in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteTaskCredits implements TaskCreditsPort {
  constructor(private readonly channel: ServiceChannel) {}

  async reserve(reservation: TaskReservation): Promise<Answer<ReservedCredits>> {
    return answerOf(await this.channel.call(TaskCreditsServiceService.reserve, reservation), (credits) => credits);
  }

  async settle(settlement: TaskSettlement): Promise<Answer<SettledCredits>> {
    return answerOf(await this.channel.call(TaskCreditsServiceService.settle, settlement), (credits) => credits);
  }
}
