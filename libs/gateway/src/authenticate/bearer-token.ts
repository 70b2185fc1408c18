import { createHash, timingSafeEqual } from 'node:crypto';
import { refuse } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';

const UNAUTHORIZED = refuse('unauthorized', { case: 'credential' });

/**
 * Accepts one static token, or everyone if none is set (api-v2, Authentication 2). Digests are compared, so that timing
 * reveals neither the length nor the first difference.
 */
export class BearerToken {
  readonly #digest: Buffer | null;

  constructor(token: string | null) {
    this.#digest = token === null ? null : digest(token);
  }

  check(authorization: string | undefined): Rejection | null {
    if (this.#digest === null) return null;
    const given = bearerIn(authorization);
    return given !== null && timingSafeEqual(digest(given), this.#digest) ? null : UNAUTHORIZED;
  }
}

/** The credential of an `Authorization` header; null without one of the scheme `Bearer`. */
export function bearerIn(authorization: string | undefined): string | null {
  return authorization !== undefined && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : null;
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token, 'latin1').digest();
}
