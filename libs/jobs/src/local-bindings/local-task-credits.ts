import { Injectable } from '@nestjs/common';
import type {
  Answer,
  ReserveOutcome,
  SettleOutcome,
  TaskCreditsPort,
  TaskReservation,
  TaskSettlement,
} from '@heddle/contracts-messages';
import { ReserveTaskHandler } from '../reserve-task/reserve-task.handler.js';
import { SettleTaskHandler } from '../settle-task/settle-task.handler.js';

/** The partner proxy's calls about credits, answered in this process. */
@Injectable()
export class LocalTaskCredits implements TaskCreditsPort {
  constructor(
    private readonly reserves: ReserveTaskHandler,
    private readonly settles: SettleTaskHandler,
  ) {}

  async reserve(reservation: TaskReservation): Promise<Answer<ReserveOutcome>> {
    return await this.reserves.handle(reservation);
  }

  async settle(settlement: TaskSettlement): Promise<Answer<SettleOutcome>> {
    return await this.settles.handle(settlement);
  }
}
