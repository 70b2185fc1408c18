import { setTimeout as delay } from 'node:timers/promises';
import type { DeploymentAnswer, DeploymentView, NewDeployment } from '@heddle/contracts-messages';

export const BUILTIN = { image: null, engine: 'builtin', engineVersion: null, packages: [], catalogue: null };

export const FAST = { lookMs: 20, silenceMs: 300, repinTimeoutMs: 60_000, settleMs: 50 };

export function named(label: string, changes: Partial<NewDeployment> = {}): NewDeployment {
  return { label, stage: 'production', accountId: null, provider: null, environment: BUILTIN, options: {}, ...changes };
}

export function viewOf(answer: DeploymentAnswer): DeploymentView {
  if (!answer.ok) throw new Error(answer.refusal.message);
  return answer.value;
}

export async function eventually<T>(ask: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (const deadline = Date.now() + 10_000; ; await delay(10)) {
    const value = await ask();
    if (holds(value)) return value;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(value)}`);
  }
}
