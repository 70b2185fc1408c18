import type { IncomingMessage, ServerResponse } from 'node:http';
import { newUuid } from '@heddle/contracts-messages';
import type { BodyBudget } from '@heddle/platform-http/body-budget';
import { ownTurn } from '@heddle/platform-http/own-turn';
import type { ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { currentCallContext, parseTraceparent, withCallContext } from '@heddle/platform-telemetry';
import type { Logger, SpanHandle, Tracer } from '@heddle/platform-telemetry';
import type { ServiceIdentity } from '../identity/service-token.js';
import type { TokenVerifier } from '../identity/token-verifier.js';
import { DEADLINE, REQUEST_ID, STREAM_HEAD, TRACEPARENT } from '../wire/call-headers.js';
import type { BundledAnswer, ReceivedCall } from '../wire/bundle.js';
import { decodeJson, MalformedParcelError } from '../wire/parcel.js';
import type { ReceivedParcel } from '../wire/parcel.js';
import type { CallRoute, DownloadRoute, PlainRoute } from './call-route.js';
import { OpenCall } from './open-call.js';
import { readParcel } from './read-parcel.js';
import { DEPENDENCY_AWAY } from '../serve/error-code.js';
import { CallRefusal, sendRefusal } from './refusal.js';
import type { Refusal } from './refusal.js';
import type { StallWatch } from '../bytes/stall-watch.js';
import { isBundle, serveBundle } from './serve-bundle.js';
import { sendParcel, sendStream } from './send-reply.js';

export type Admitted =
  | { readonly ok: true; readonly route: CallRoute; readonly caller: ServiceIdentity }
  | { readonly ok: false; readonly refusal: Refusal };

export interface ServeOptions {
  readonly logger?: Pick<Logger, 'warn' | 'error'>;
  readonly tracer?: Tracer | null;
  /** The handler failed because something that it needs is away: its caller may wait and try again. */
  readonly isOutage?: (error: unknown) => boolean;
  readonly stall: StallWatch;
  readonly connections: ConnectionGuard;
  readonly bodies: BodyBudget;
}

const SAFE_ID = /^[A-Za-z0-9._:+/=@-]{1,200}$/;
const BODY_BYTES = 1024 * 1024;
const DEADLINE_PASSED: Refusal = { status: 504, code: 'deadline', message: 'the deadline of the call has passed' };

/** Who calls comes first: nobody unknown learns which routes there are. */
export async function admitCaller(
  request: IncomingMessage,
  route: CallRoute | undefined,
  verifier: TokenVerifier,
): Promise<Admitted> {
  const refuse = (status: Refusal['status'], code: string, message: string): Admitted => ({
    ok: false,
    refusal: { status, code, message },
  });
  const verified = await verifier.verify(request.headers.authorization);
  if (!verified.ok) return refuse(401, 'no_identity', verified.reason);
  const { identity } = verified;
  if (route === undefined) return refuse(404, 'unknown_call', 'this version of the service has no such call');
  if (request.method !== 'POST') return refuse(405, 'unknown_call', 'calls between services are POST');
  if (!route.openTo.includes(identity.service)) {
    const open = route.openTo.join(', ');
    return refuse(403, 'not_yours', `service ${identity.service} may not make this call; allowed: ${open}`);
  }
  return { ok: true, route, caller: identity };
}

/** Carries a call out and answers it. Never throws; what fails is logged here, once. */
export async function serveCall(
  { route, caller }: Extract<Admitted, { ok: true }>,
  request: IncomingMessage,
  response: ServerResponse,
  options: ServeOptions,
): Promise<void> {
  const requestId = safeId(request.headers[REQUEST_ID]);
  // Each call of a bundle belongs to a trace of its own.
  const parent = isBundle(request) ? null : parseTraceparent(request.headers[TRACEPARENT] as string | undefined);
  const span = spanOf(options, route, caller, parent);
  const deadline = request.headers[DEADLINE] as string | undefined;
  const call = new OpenCall(response, caller, deadline, () => sendRefusal(response, DEADLINE_PASSED));
  const context = { requestId, traceparent: span?.traceparent ?? parent };
  await withCallContext(context, async () => {
    try {
      await carryOut(route, call, request, response, options);
    } catch (error) {
      // A caller that is gone, or was told that it is too late, explains whatever failed.
      if (call.isOver) response.destroy();
      else sendRefusal(response, refusalOf(error, route, caller, options));
    }
  });
  call.end();
  endSpan(span, response.statusCode, requestId);
}

function safeId(given: string | string[] | null | undefined): string {
  return typeof given === 'string' && SAFE_ID.test(given) ? given : newUuid();
}

/** A call outside of any trace, such as a heartbeat, begins none. */
function spanOf(
  { tracer }: ServeOptions,
  { path }: CallRoute,
  { service }: ServiceIdentity,
  parent: string | null,
): SpanHandle | null {
  if (parent === null) return null;
  return tracer?.startSpan(path, parent, { kind: 'server', attributes: { 'heddle.caller': service } }) ?? null;
}

async function carryOut(
  route: CallRoute,
  call: OpenCall,
  request: IncomingMessage,
  response: ServerResponse,
  options: ServeOptions,
): Promise<void> {
  const settled = options.stall.settled();
  if (route.kind === 'upload') {
    await settled;
    if (call.isOver) return;
    const head = decodeJson(Buffer.from(String(request.headers[STREAM_HEAD] ?? '')));
    const answer = await route.handle(call.with(head), request);
    if (!call.isOver) sendParcel(response, answer);
    return;
  }
  const share = options.connections.shareOf(options.bodies);
  response.once('close', () => share.end());
  const parcel = await readParcel(request, route.bodyBytes ?? BODY_BYTES, share);
  await share.holdWhile(async () => {
    await settled;
    if (!call.isOver) await answerParcel(route, call, parcel, { request, response, options });
  });
}

interface ParcelExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: ServeOptions;
}

async function answerParcel(
  route: PlainRoute | DownloadRoute,
  call: OpenCall,
  parcel: ReceivedParcel,
  { request, response, options }: ParcelExchange,
): Promise<void> {
  const incoming = call.with(parcel);
  if (route.kind === 'plain') {
    const answer = isBundle(request)
      ? await serveBundle(parcel, (one) => serveOne(route, call, one, options))
      : await route.handle(incoming);
    if (!call.isOver) sendParcel(response, answer);
    return;
  }
  await ownTurn(response);
  if (call.isOver) return;
  const { head, body } = await route.handle(incoming);
  if (call.isOver) {
    body?.on('error', () => undefined).destroy();
    return;
  }
  call.answers();
  await sendStream(response, head, body);
}

/** One call of a bundle, as if it had come by itself. */
async function serveOne(
  route: PlainRoute,
  call: OpenCall,
  { requestId: given, traceparent, ...parcel }: ReceivedCall,
  options: ServeOptions,
): Promise<BundledAnswer> {
  const requestId = safeId(given);
  const parent = parseTraceparent(traceparent ?? undefined);
  const span = spanOf(options, route, call.caller, parent);
  return await withCallContext({ requestId, traceparent: span?.traceparent ?? parent }, async () => {
    let status = 200;
    try {
      return await route.handle(call.with(parcel));
    } catch (error) {
      const failure = refusalOf(error, route, call.caller, options);
      ({ status } = failure);
      return { failure };
    } finally {
      endSpan(span, status, requestId);
    }
  });
}

function refusalOf(
  error: unknown,
  { path, tells = [] }: CallRoute,
  { service }: ServiceIdentity,
  { logger, isOutage }: ServeOptions,
): Refusal {
  if (error instanceof MalformedParcelError) return { status: 400, code: 'malformed', message: error.message };
  if (error instanceof CallRefusal) return error.refusal;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (tells.includes(name)) return { status: 500, code: name, message };
  const requestId = currentCallContext()?.requestId ?? '';
  const about = { call: path, request_id: requestId, caller: service };
  if (isOutage?.(error) === true) {
    logger?.warn({ ...about, reason: message }, 'a call failed: what this service needs is away');
    return { status: 500, code: DEPENDENCY_AWAY, message: `what it needs is away; the request id is ${requestId}` };
  }
  logger?.error({ err: error, ...about }, 'a call failed');
  return { status: 500, code: 'failed', message: `it failed there; the request id is ${requestId}` };
}

function endSpan(span: SpanHandle | null, status: number, requestId: string): void {
  const failure = status >= 500 ? String(status) : undefined;
  span?.end({ 'http.response.status_code': status, 'heddle.request_id': requestId, 'error.type': failure });
}
