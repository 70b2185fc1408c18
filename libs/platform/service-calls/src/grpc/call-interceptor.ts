import { AsyncLocalStorage } from 'node:async_hooks';
import { ServerInterceptingCall, status } from '@grpc/grpc-js';
import type { Metadata, ServerInterceptor } from '@grpc/grpc-js';
import { newUuid } from '@heddle/contracts-messages';
import type { ConnectionGuard, PeerAddress } from '@heddle/platform-http/connection-guard';
import { parseTraceparent, RepeatGuard, withCallContext } from '@heddle/platform-telemetry';
import type { Logger } from '@heddle/platform-telemetry';
import type { ServiceIdentity } from '../identity/service-token.js';
import type { TokenVerifier } from '../identity/token-verifier.js';

export interface EndedGrpcCall {
  /** Such as `/heddle.worker.v1.WorkerService/Work`. */
  readonly path: string;
  /** Name of a gRPC status, such as `OK` or `UNAUTHENTICATED`. */
  readonly status: string;
}

export interface CallInterceptorOptions {
  readonly verifier: TokenVerifier;
  /** Told of each connection on which a call was believed. */
  readonly connections: ConnectionGuard;
  /** Services whose tokens open a call, by its path. Another path is open to nobody. */
  readonly openTo: Readonly<Record<string, readonly string[]>>;
  readonly logger?: Pick<Logger, 'warn'>;
  /** Told of each call that ended, a refused one included. */
  observe?(call: EndedGrpcCall): void;
}

/** One line of each kind of refusal is enough for so long: a caller with a wrong token asks again and again. */
const REFUSAL_LINE_MS = 10_000;

const callers = new AsyncLocalStorage<ServiceIdentity>();

/** Who makes the call that is being served. Throws outside of one. */
export function callerOf(): ServiceIdentity {
  const caller = callers.getStore();
  if (caller === undefined) throw new Error('no call is being served');
  return caller;
}

/**
 * The one place that every gRPC call passes: its caller is known, its context is open, its end is counted. Nobody unknown
 * learns which calls there are.
 */
export function callInterceptor({
  verifier,
  connections,
  openTo,
  logger,
  observe,
}: CallInterceptorOptions): ServerInterceptor {
  const refusals = new RepeatGuard(REFUSAL_LINE_MS);
  return ({ path }, call) => {
    const ended = (code: number): void => observe?.({ path, status: status[code] ?? String(code) });
    const refuse = (code: number, details: string): void => {
      const suppressed = refusals.admit(details);
      if (suppressed !== null) {
        logger?.warn({ call: path, reason: details, ...(suppressed > 0 ? { suppressed } : {}) }, 'a call was refused');
      }
      ended(code);
      call.sendStatus({ code, details });
    };
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: async (metadata, admit) => {
            const verified = await verifier.verify(textIn(metadata, 'authorization'));
            if (!verified.ok) return refuse(status.UNAUTHENTICATED, verified.reason);
            connections.authenticated(addressOf(call.getPeer()));
            const { identity } = verified;
            const open = openTo[path] ?? [];
            if (!open.includes(identity.service)) {
              const allowed = open.length === 0 ? 'none' : open.join(', ');
              const details = `service ${identity.service} may not make this call; allowed: ${allowed}`;
              return refuse(status.PERMISSION_DENIED, details);
            }
            const requestId = textIn(metadata, 'x-request-id') ?? newUuid();
            const context = { requestId, traceparent: parseTraceparent(textIn(metadata, 'traceparent')) };
            withCallContext(context, () => callers.run(identity, () => admit(metadata)));
          },
        }),
      sendStatus: (sent, next) => {
        ended(sent.code ?? status.UNKNOWN);
        next(sent);
      },
    });
  };
}

/** Of `127.0.0.1:8390`; an IPv6 address stands there without brackets. */
function addressOf(peer: string): PeerAddress {
  const colon = peer.lastIndexOf(':');
  return { remoteAddress: peer.slice(0, colon), remotePort: Number(peer.slice(colon + 1)) };
}

function textIn(metadata: Metadata, key: string): string | undefined {
  const [value] = metadata.get(key);
  return typeof value === 'string' ? value : undefined;
}
