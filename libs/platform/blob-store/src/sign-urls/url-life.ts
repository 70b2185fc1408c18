/** From which second on a signed URL is good, and for how many. */
export interface UrlLife {
  /** A whole second. */
  readonly signedAt: Date;
  /** 1 to 604,800: the maximum of S3. */
  readonly seconds: number;
}

/** Good for `seconds` from now on, but never beyond `endsAt`. */
export function urlLife(now: Date, seconds: number, endsAt: Date | null): UrlLife {
  const start = Math.floor(now.getTime() / 1000);
  const end = endsAt === null ? Infinity : Math.floor(endsAt.getTime() / 1000);
  const left = Math.min(seconds, end - start);
  // Stores refuse a life of 0 seconds: what ends in this second is signed for a second that is over.
  return left < 1 ? lifeOf(start - 1, 1) : lifeOf(start, left);
}

/** The instant at which it ends. */
export function endOf({ signedAt, seconds }: UrlLife): Date {
  return new Date(signedAt.getTime() + seconds * 1000);
}

function lifeOf(start: number, seconds: number): UrlLife {
  return { signedAt: new Date(start * 1000), seconds };
}
