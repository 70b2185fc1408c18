import type { IncomingHttpHeaders } from 'node:http';

/** The server's complete answer. */
export interface Answer {
  readonly method: string;
  /** The request target as sent. */
  readonly target: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Header names and values in the order and case of the wire. */
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
  /** Milliseconds from the first byte sent to the last byte read. */
  readonly tookMs: number;
}

export function textOf(answer: Answer): string {
  return answer.bytes.toString('utf8');
}

export function jsonOf<Body>(answer: Answer): Body {
  try {
    return JSON.parse(textOf(answer)) as Body;
  } catch {
    throw new Error(`${describe(answer)}: the body is no JSON: ${textOf(answer).slice(0, 300)}`);
  }
}

/** `POST /api/v2/jobs -> 422`, for messages of failed checks. */
export function describe(answer: Answer): string {
  const target = answer.target.length > 120 ? `${answer.target.slice(0, 120)}...` : answer.target;
  return `${answer.method} ${target} -> ${answer.status}`;
}

/** The envelope's code, or null if the body is not an envelope. */
export function codeOf(answer: Answer): string | null {
  try {
    const body = JSON.parse(textOf(answer)) as { error?: { code?: unknown } };
    return typeof body.error?.code === 'string' ? body.error.code : null;
  } catch {
    return null;
  }
}
