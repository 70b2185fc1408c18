import type { IncomingMessage } from 'node:http';
import type { BodyShare } from './body-budget.js';
import { BodyFaultError } from './body-fault.js';
import type { BodyFault } from './body-fault.js';
import { CollectedBytes } from './collected-bytes.js';

interface CollectLimits {
  readonly bodyBytes: number;
  /** Null if the caller has a deadline of its own. */
  readonly bodyTimeoutMs: number | null;
}

/**
 * Reads the whole body into one buffer. Throws BodyFaultError and releases everything. `share` counts the bytes held:
 * the caller ends it when the body is no longer used.
 */
export function collectBody(
  request: IncomingMessage,
  { bodyBytes, bodyTimeoutMs }: CollectLimits,
  share: BodyShare,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > bodyBytes) return reject(new BodyFaultError('too_large'));
    const collected = new CollectedBytes(announced > 0 ? announced : bodyBytes, true);
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('error', broken).off('close', broken);
      settle();
    };
    const refuse = (fault: BodyFault): void =>
      finish(() => {
        collected.drop();
        share.end(fault);
        reject(new BodyFaultError(fault));
      });
    const take = (chunk: Buffer): void => {
      if (collected.size + chunk.length > bodyBytes) return refuse('too_large');
      if (!share.grow(collected.heldWith(chunk))) return refuse('no_room');
      collected.add(chunk);
      if (collected.isFinelyCut) refuse('finely_cut');
    };
    const end = (): void => finish(() => resolve(collected.bytes()));
    const broken = (): void => refuse('broken');
    const timer = bodyTimeoutMs === null ? undefined : setTimeout(() => refuse('late'), bodyTimeoutMs);
    // Stays attached: an error after the last reader must not end the process.
    request.on('error', () => undefined);
    request.on('data', take).on('end', end).on('error', broken).on('close', broken);
    if (request.destroyed && !request.readableEnded) broken();
  });
}
