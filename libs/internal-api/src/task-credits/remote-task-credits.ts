import type {
  Answer,
  ReserveOutcome,
  SettleOutcome,
  TaskCreditsPort,
  TaskReservation,
  TaskSettlement,
} from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { TaskCreditsServiceService } from '../generated/heddle/jobs/v1/task_credits.js';
import { reserveOutcome, settleOutcome } from './outcome-wire.js';

/** The ledger of the jobs service in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteTaskCredits implements TaskCreditsPort {
  constructor(private readonly channel: ServiceChannel) {}

  async reserve(reservation: TaskReservation): Promise<Answer<ReserveOutcome>> {
    return reserveOutcome(await this.channel.call(TaskCreditsServiceService.reserve, reservation));
  }

  async settle(settlement: TaskSettlement): Promise<Answer<SettleOutcome>> {
    return settleOutcome(await this.channel.call(TaskCreditsServiceService.settle, settlement));
  }
}
