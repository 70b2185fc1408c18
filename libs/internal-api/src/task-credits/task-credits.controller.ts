import { TASK_CREDITS_PORT } from '@heddle/contracts-messages';
import type { AccountId, TaskCreditsPort, TaskId } from '@heddle/contracts-messages';
import { GrpcController } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { idOf } from '../encode-values/call-values.js';
import { TaskCreditsServiceService } from '../generated/heddle/jobs/v1/task_credits.js';
import type {
  ReserveRequest,
  ReserveResponse,
  SettleRequest,
  SettleResponse,
} from '../generated/heddle/jobs/v1/task_credits.js';
import { REGISTRIES } from '../internal-calls.js';
import { reserveResponse, settleResponse } from './outcome-wire.js';

/** Serves TaskCreditsPort over gRPC. */
@GrpcController(TaskCreditsServiceService)
class TaskCreditsController implements Serving<typeof TaskCreditsServiceService> {
  constructor(@Inject(TASK_CREDITS_PORT) private readonly credits: TaskCreditsPort) {}

  async reserve({ amount, ...task }: ReserveRequest): Promise<ReserveResponse> {
    return reserveResponse(await this.credits.reserve({ ...idsOf(task), amount }));
  }

  async settle({ charged, ...task }: SettleRequest): Promise<SettleResponse> {
    return settleResponse(await this.credits.settle({ ...idsOf(task), charged }));
  }
}

function idsOf({ accountId, taskId }: Pick<ReserveRequest, 'accountId' | 'taskId'>) {
  return { accountId: idOf<AccountId>(accountId, 'account'), taskId: idOf<TaskId>(taskId, 'task') };
}

export const TASK_CREDITS_CALLS = {
  definition: TaskCreditsServiceService,
  rules: { reserve: { openTo: REGISTRIES }, settle: { openTo: REGISTRIES } },
  controller: TaskCreditsController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of the registry, whose process runs the partner proxy, to the jobs service. */
export function servedTaskCredits(credits: TaskCreditsPort): ServedContext {
  return { ...TASK_CREDITS_CALLS, providers: [{ provide: TASK_CREDITS_PORT, useValue: credits }] };
}
