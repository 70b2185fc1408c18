import { createHash, timingSafeEqual } from 'node:crypto';

/** One static token. Digests are compared, so that timing reveals neither the length nor the first difference. */
export class BearerToken {
  readonly #digest: Buffer;

  constructor(token: string) {
    this.#digest = digest(token);
  }

  matches(authorization: string | undefined): boolean {
    const given = bearerIn(authorization);
    return given !== null && timingSafeEqual(digest(given), this.#digest);
  }
}

/** The credential of an `Authorization` header; null without one of the scheme `Bearer`. */
export function bearerIn(authorization: string | undefined): string | null {
  return authorization !== undefined && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : null;
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token, 'latin1').digest();
}
