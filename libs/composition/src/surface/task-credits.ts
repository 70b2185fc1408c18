import { accepted, TASK_CREDITS_PORT } from '@heddle/contracts-messages';
import type { TaskCreditsPort } from '@heddle/contracts-messages';
import type { DynamicModule } from '@nestjs/common';

/** A surface without credits: the price of a task is told, never taken (registry, Partner proxy). */
export const NO_TASK_CREDITS: TaskCreditsPort = {
  reserve: () => Promise.resolve(accepted({ kind: 'reserved', reserved: 0 })),
  settle: () => Promise.resolve(accepted({ kind: 'settled', charged: 0, returned: 0 })),
};

class TaskCreditsModule {}

/** Provides the ledger to the partner proxy. `port`: null where the surface takes no credits. */
export function taskCreditsModule(port: TaskCreditsPort | null): DynamicModule {
  const providers = [{ provide: TASK_CREDITS_PORT, useValue: port ?? NO_TASK_CREDITS }];
  return { module: TaskCreditsModule, providers, exports: [TASK_CREDITS_PORT] };
}
