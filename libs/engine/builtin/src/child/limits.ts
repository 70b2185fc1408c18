/** Limits of one engine process, in bytes. */
export interface ChildLimits {
  readonly pixelBytes: number;
  readonly cacheBytes: number;
}

/** The limits as a process argument. */
export function limitsArgument(limits: ChildLimits): string {
  return `${limits.pixelBytes},${limits.cacheBytes}`;
}

export function readLimits(argument: string | undefined): ChildLimits {
  const [pixelBytes, cacheBytes] = (argument ?? '').split(',').map(Number);
  if (!pixelBytes || cacheBytes === undefined || Number.isNaN(cacheBytes))
    throw new Error('an engine process needs limits');
  return { pixelBytes, cacheBytes };
}
