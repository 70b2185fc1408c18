import type { IncomingMessage, ServerResponse } from 'node:http';
import { status } from '@grpc/grpc-js';
import type { BodyBudget } from '@heddle/platform-http/body-budget';
import { boundUnread } from '@heddle/platform-http/bound-unread';
import type { ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { ownTurn } from '@heddle/platform-http/own-turn';
import { parseTraceparent, RepeatGuard, withCallContext } from '@heddle/platform-telemetry';
import type { Tracer } from '@heddle/platform-telemetry';
import type { TokenVerifier } from '../identity/token-verifier.js';
import { failureOf } from '../serve/call-failures.js';
import type { CallFailure } from '../call-failure.js';
import type { FailureOptions } from '../serve/call-failures.js';
import type { EndedCall } from '../serve/call-interceptor.js';
import { safeId, spanOf, whileServed } from '../serve/served-call.js';
import type { ServedCall } from '../serve/served-call.js';
import { DEADLINE, REQUEST_ID, STREAM_HEAD, TRACEPARENT } from './byte-headers.js';
import type { ByteRoute, DownloadRoute, UploadRoute } from './byte-route.js';
import { OpenTransfer } from './open-transfer.js';
import { headOfBody, headOfHeader } from './read-head.js';
import { sendFailure, sendJson, sendStream } from './send-answer.js';
import { StallWatch } from '../stall-watch.js';

interface BytesServerOptions extends FailureOptions {
  readonly routes: readonly ByteRoute[];
  readonly verifier: TokenVerifier;
  readonly connections: ConnectionGuard;
  /** The body budget of the process, in which request bodies of downloads count. */
  readonly bodies: BodyBudget;
  readonly tracer?: Tracer | null;
  /** Called when a call has ended. */
  observe?(call: EndedCall): void;
  /** Limit on concurrent calls. More are refused, and their callers try another replica. */
  readonly maxTransfers?: number;
}

const MAX_TRANSFERS = 10_000;
/** Interval between log lines of one kind of refusal: a caller with a wrong token retries all the time. */
const REFUSAL_LINE_MS = 10_000;
const LATE: CallFailure = {
  status: status.DEADLINE_EXCEEDED,
  code: 'deadline',
  message: 'the deadline of the call has passed',
};

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly transfer: OpenTransfer;
}

/** Serves the byte routes of assets over HTTP/1.1. */
export class BytesServer {
  readonly #routes: ReadonlyMap<string, ByteRoute>;
  readonly #refusals = new RepeatGuard(REFUSAL_LINE_MS);
  readonly #stall = new StallWatch();
  #isStopping = false;
  #open = 0;
  #whenIdle: () => void = () => undefined;

  constructor(private readonly options: BytesServerOptions) {
    this.#routes = new Map(options.routes.map((route) => [route.path, route]));
    this.#stall.start();
  }

  /** Never throws; logs each failure once. */
  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    this.#open += 1;
    // The body is not read before the caller is authenticated.
    boundUnread(request);
    const route = this.#routes.get(request.url ?? '');
    const code = await this.#serve(route, request, response);
    this.#open -= 1;
    if (this.#open === 0) this.#whenIdle();
    const ms = performance.now() - started;
    this.options.observe?.({ path: route?.path ?? 'unknown', status: status[code]!, ms });
  }

  /** Refuses new calls. Calls under way may finish within `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#stall.stop();
    if (this.#open === 0) return;
    const late = setTimeout(() => this.#whenIdle(), graceMs);
    await new Promise<void>((resolve) => (this.#whenIdle = resolve));
    clearTimeout(late);
  }

  async #serve(route: ByteRoute | undefined, request: IncomingMessage, response: ServerResponse): Promise<number> {
    const admitted = await this.#admit(route, request);
    if ('status' in admitted) {
      const call = request.url ?? '';
      const suppressed = this.#refusals.admit(admitted.message);
      if (suppressed !== null) {
        const more = suppressed > 0 ? { suppressed } : {};
        this.options.logger?.warn({ call, reason: admitted.message, ...more }, 'a call was refused');
      }
      // The caller connects to another process.
      if (this.#isStopping) response.setHeader('connection', 'close');
      sendFailure(response, admitted);
      return admitted.status;
    }
    const requestId = safeId(headerIn(request, REQUEST_ID));
    const parent = parseTraceparent(headerIn(request, TRACEPARENT));
    const span = spanOf(this.options, admitted, parent);
    const context = { requestId, traceparent: span?.traceparent ?? parent };
    let code: number = status.OK;
    const transfer = new OpenTransfer(response, headerIn(request, DEADLINE), () => {
      code = LATE.status;
      sendFailure(response, LATE);
    });
    await withCallContext(context, () =>
      whileServed(admitted, async () => {
        try {
          await this.#carryOut(route!, { request, response, transfer });
        } catch (error) {
          // After a disconnect or a passed deadline, any failure is expected.
          if (transfer.isOver) {
            if (code === status.OK) code = status.CANCELLED;
            response.destroy();
            return;
          }
          const failure = failureOf(error, this.options);
          code = failure.status;
          sendFailure(response, failure);
        }
      }),
    );
    transfer.end();
    const failed = code === status.OK ? undefined : status[code];
    span?.end({ 'http.response.status_code': response.statusCode, 'error.type': failed });
    return code;
  }

  /** Checks the token first, so that unknown callers cannot probe for routes. */
  async #admit(route: ByteRoute | undefined, request: IncomingMessage): Promise<ServedCall | CallFailure> {
    const { verifier, connections, maxTransfers = MAX_TRANSFERS } = this.options;
    const refuse = (code: number, name: string, message: string): CallFailure => ({
      status: code,
      code: name,
      message,
    });
    const verified = await verifier.verify(request.headers.authorization);
    if (!verified.ok) return refuse(status.UNAUTHENTICATED, 'no_identity', verified.reason);
    connections.authenticated(request.socket);
    if (this.#isStopping) return refuse(status.UNAVAILABLE, 'not_now', 'this process is stopping');
    if (this.#open > maxTransfers) {
      return refuse(status.UNAVAILABLE, 'not_now', `this process serves ${maxTransfers} calls already`);
    }
    if (route === undefined || request.method !== 'POST') {
      const message = route === undefined ? 'this version of the service has no such call' : 'calls of bytes are POST';
      return refuse(status.UNIMPLEMENTED, 'unknown_call', message);
    }
    const { identity } = verified;
    if (route.openTo.includes(identity.service)) return { path: route.path, caller: identity };
    const allowed = route.openTo.join(', ');
    const message = `service ${identity.service} may not make this call; allowed: ${allowed}`;
    return refuse(status.PERMISSION_DENIED, 'not_yours', message);
  }

  async #carryOut(route: ByteRoute, exchange: Exchange): Promise<void> {
    if (route.kind === 'upload') await this.#takeUpload(route, exchange);
    else await this.#answerDownload(route, exchange);
  }

  async #takeUpload(route: UploadRoute, { request, response, transfer }: Exchange): Promise<void> {
    await this.#stall.settled();
    if (transfer.isOver) return;
    const answer = await route.handle(headOfHeader(headerIn(request, STREAM_HEAD)), request);
    if (!transfer.isOver) sendJson(response, answer);
  }

  async #answerDownload(route: DownloadRoute, { request, response, transfer }: Exchange): Promise<void> {
    const { connections, bodies } = this.options;
    const asked = await headOfBody(request, connections.shareOf(bodies));
    await this.#stall.settled();
    await ownTurn(response);
    if (transfer.isOver) return;
    const { head, body } = await route.handle(asked);
    if (transfer.isOver) {
      body?.on('error', () => undefined).destroy();
      return;
    }
    transfer.answers();
    await sendStream(response, head, body);
  }
}

function headerIn(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
