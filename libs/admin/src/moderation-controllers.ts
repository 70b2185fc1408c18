import { MODERATION_PORT } from '@heddle/contracts-messages';
import type { Type } from '@nestjs/common';
import { ModerateHashController } from './moderate-hash/moderate-hash.controller.js';

/** The calls behind `heddle assets block` and its kin. */
export const MODERATION_CONTROLLERS: readonly Type<unknown>[] = [ModerateHashController];

export function servesModeration(ports: ReadonlyMap<symbol, object>): boolean {
  return ports.has(MODERATION_PORT);
}
