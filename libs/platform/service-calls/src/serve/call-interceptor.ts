import { Metadata, ServerInterceptingCall, status } from '@grpc/grpc-js';
import type { ServerInterceptor } from '@grpc/grpc-js';
import type { ConnectionGuard, PeerAddress } from '@heddle/platform-http/connection-guard';
import { parseTraceparent, RepeatGuard, withCallContext } from '@heddle/platform-telemetry';
import type { Logger, SpanHandle, Tracer } from '@heddle/platform-telemetry';
import type { TokenVerifier } from '../identity/token-verifier.js';
import { ERROR_CODE } from './error-code.js';
import { HEALTH_CHECK } from './health.js';
import { safeId, spanOf, whileServed } from './served-call.js';
import type { StallWatch } from '../stall-watch.js';
import { OversizedMessage } from './served-context.js';

export interface EndedCall {
  /** For example `/heddle.worker.v1.WorkerService/Work` */
  readonly path: string;
  /** Name of a gRPC status, for example `OK` or `UNAUTHENTICATED` */
  readonly status: string;
  readonly ms: number;
}

export interface CallInterceptorOptions {
  readonly verifier: TokenVerifier;
  /** Learns of each connection with an authenticated call. */
  readonly connections: ConnectionGuard;
  /** Services whose tokens are accepted, by the path of a call. Other paths are closed. */
  readonly openTo: Readonly<Record<string, readonly string[]>>;
  readonly logger?: Pick<Logger, 'warn'>;
  readonly tracer?: Tracer | null;
  /** Absent: calls are admitted also right after the process was frozen. */
  readonly stalls?: Pick<StallWatch, 'settled'>;
  /** Called when a call has ended, also a refused one. */
  observe?(call: EndedCall): void;
}

/** Interval between log lines of one kind of refusal: a caller with a wrong token retries all the time. */
const REFUSAL_LINE_MS = 10_000;

/**
 * Every gRPC call of a method that exists passes here: authenticates the caller, opens the call's context and counts its
 * end. grpc-js itself answers UNIMPLEMENTED for other methods, also to strangers: the protos are public.
 */
export function callInterceptor(options: CallInterceptorOptions): ServerInterceptor {
  const { verifier, connections, openTo, logger, stalls, observe } = options;
  const refusals = new RepeatGuard(REFUSAL_LINE_MS);
  return ({ path }, call) => {
    const started = performance.now();
    let span: SpanHandle | null = null;
    let isOver = false;
    /** grpc-js emits each event of a call in a context of its own. */
    let inContext: (work: () => void) => void = (work) => work();
    const ended = (code: number): void => {
      if (isOver) return;
      isOver = true;
      const name = status[code] ?? String(code);
      span?.end({ 'rpc.grpc.status_code': code, 'error.type': code === status.OK ? undefined : name });
      observe?.({ path, status: name, ms: performance.now() - started });
    };
    const refuse = (code: number, errorCode: string, details: string): void => {
      const suppressed = refusals.admit(details);
      if (suppressed !== null) {
        logger?.warn({ call: path, reason: details, ...(suppressed > 0 ? { suppressed } : {}) }, 'a call was refused');
      }
      ended(code);
      const metadata = new Metadata();
      metadata.set(ERROR_CODE, errorCode);
      call.sendStatus({ code, details, metadata });
    };
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: async (metadata, admit) => {
            if (path === HEALTH_CHECK && textIn(metadata, 'authorization') === undefined) return admit(metadata);
            const verified = await verifier.verify(textIn(metadata, 'authorization'));
            if (!verified.ok) return refuse(status.UNAUTHENTICATED, 'no_identity', verified.reason);
            connections.authenticated(addressOf(call.getPeer()));
            const { identity } = verified;
            const open = openTo[path] ?? [];
            if (path !== HEALTH_CHECK && !open.includes(identity.service)) {
              const allowed = open.length === 0 ? 'none' : open.join(', ');
              const details = `service ${identity.service} may not make this call; allowed: ${allowed}`;
              return refuse(status.PERMISSION_DENIED, 'not_yours', details);
            }
            const settled = stalls?.settled() ?? null;
            if (settled !== null) await settled;
            // Its caller has hung up: the answer of its client is sent already, and may be a failure.
            if (isOver) return;
            const requestId = safeId(textIn(metadata, 'x-request-id'));
            const parent = parseTraceparent(textIn(metadata, 'traceparent'));
            const about = { path, caller: identity };
            span = spanOf(options, about, parent);
            const context = { requestId, traceparent: span?.traceparent ?? parent };
            inContext = (work) => withCallContext(context, () => whileServed(about, work));
            inContext(() => admit(metadata));
          },
          onReceiveMessage: (message: unknown, admit) => {
            if (message instanceof OversizedMessage) {
              refuse(status.RESOURCE_EXHAUSTED, 'too_large', message.details);
            } else {
              inContext(() => admit(message));
            }
          },
          onReceiveHalfClose: (next) => inContext(next),
          onCancel: () => ended(status.CANCELLED),
        }),
      sendStatus: (sent, next) => {
        ended(sent.code ?? status.UNKNOWN);
        next(sent);
      },
    });
  };
}

/** Parses `127.0.0.1:8390`; grpc-js writes IPv6 addresses without brackets. */
function addressOf(peer: string): PeerAddress {
  const colon = peer.lastIndexOf(':');
  return { remoteAddress: peer.slice(0, colon), remotePort: Number(peer.slice(colon + 1)) };
}

function textIn(metadata: Metadata, key: string): string | undefined {
  const [value] = metadata.get(key);
  return typeof value === 'string' ? value : undefined;
}
