import type { DeploymentLimits, GivenOptions } from '@heddle/contracts-messages';
import type { LimitChange, Limits, OptionChanges } from '../generated/heddle/deployments/v1/deployments.js';

/** Options that are not given stay as they are; a limit of null takes the setting again. */
export function changesMessage({ limits, ...options }: GivenOptions): OptionChanges {
  return {
    slots: options.slots,
    publicDemo: options.publicDemo,
    startDelayS: options.startDelayS,
    maxRuntimeS: limitChange(limits?.maxRuntimeS),
    jobRetentionS: limitChange(limits?.jobRetentionS),
    queueDepth: limitChange(limits?.queueDepth),
  };
}

export function optionsOf(message: OptionChanges | undefined): GivenOptions {
  const { slots, publicDemo, startDelayS, maxRuntimeS, jobRetentionS, queueDepth } = message ?? {};
  const limits = given({
    maxRuntimeS: limitOf(maxRuntimeS),
    jobRetentionS: limitOf(jobRetentionS),
    queueDepth: limitOf(queueDepth),
  });
  const options: GivenOptions = given({ slots, publicDemo, startDelayS });
  return Object.keys(limits).length === 0 ? options : { ...options, limits };
}

export function limitsMessage({ maxRuntimeS, jobRetentionS, queueDepth }: DeploymentLimits): Limits {
  return {
    maxRuntimeS: maxRuntimeS ?? undefined,
    jobRetentionS: jobRetentionS ?? undefined,
    queueDepth: queueDepth ?? undefined,
  };
}

export function limitsOf(message: Limits | undefined): DeploymentLimits {
  return {
    maxRuntimeS: message?.maxRuntimeS ?? null,
    jobRetentionS: message?.jobRetentionS ?? null,
    queueDepth: message?.queueDepth ?? null,
  };
}

function limitChange(value: number | null | undefined): LimitChange | undefined {
  return value === undefined ? undefined : { value: value ?? undefined };
}

function limitOf(change: LimitChange | undefined): number | null | undefined {
  return change === undefined ? undefined : (change.value ?? null);
}

function given<T extends object>(values: T): Partial<{ [K in keyof T]: Exclude<T[K], undefined> }> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<{
    [K in keyof T]: Exclude<T[K], undefined>;
  }>;
}
