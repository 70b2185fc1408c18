import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { refuse } from '@heddle/contracts-messages';
import { carryCallContext, nestLog } from '@heddle/platform-telemetry';
import type { Logger, Tracer } from '@heddle/platform-telemetry';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DynamicModule, Type } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyBudget, BodyShare } from '../bodies/body-budget.js';
import { boundUnread } from '../bodies/bound-unread.js';
import { chargeAnswers } from '../answers/charge-answers.js';
import { checkHead, unknownRoute } from '../requests/check-request.js';
import { answerClientError, refuseConnect } from '../connections/client-error.js';
import { freeBytes } from '../bodies/collected-bytes.js';
import type { ConnectionGuard } from '../connections/connection-guard.js';
import { EnvelopeFilter } from '../refusals/envelope.filter.js';
import { V2_API } from '../apis/http-api.js';
import type { HttpApi } from '../apis/http-api.js';
import type { HttpLimits } from './http-limits.js';
import { readBody } from '../bodies/read-body.js';
import type { Refusal } from '../refusals/refusal.js';
import { rememberRejections } from '../refusals/rejection-code.js';
import { requestIdOf } from '../requests/request-id.js';
import { RequestNote } from '../requests/request-note.js';
import { sendRejection } from '../refusals/send-rejection.js';
import { traceRequests } from '../requests/trace-requests.js';

export interface HttpApplicationOptions {
  /** Default: that of api-v2. */
  readonly api?: HttpApi;
  readonly limits: HttpLimits;
  readonly logger: Logger;
  /** Null if tracing is off. */
  readonly tracer: Tracer | null;
  /** Runs before every other check, for targets that carry their own permission. Default: there are none. */
  verify?(request: FastifyRequest): Refusal | null;
  /** Runs before routing (decisions, Order of checks): the origin guard. */
  guard(request: FastifyRequest, reply: FastifyReply): Refusal | null;
  /** Runs after routing: authentication, then rate limits. The request waits for it. */
  admit(request: FastifyRequest): Promise<Refusal | null>;
  /** Routes (method and path) whose body is passed on as an unread stream. */
  readonly streamedBodies: ReadonlySet<string>;
  /** Routes (method and path), beside GET, that change nothing if they are called again. Default: there are none. */
  readonly repeatable?: ReadonlySet<string>;
  /** On whose behalf an admitted request is made, if the server has several accounts. Default: null for every request. */
  accountOf?(request: FastifyRequest): string | null;
  /** Maximum body of a route in bytes. Default: that of `limits` on every route. */
  bodyBytesOf?(request: FastifyRequest): number;
  readonly connections: ConnectionGuard;
  /** The process's budget; this application's bodies count in it. */
  readonly bodies: BodyBudget;
  /** Called when an answer is complete. */
  observe(request: FastifyRequest, reply: FastifyReply): void;
}

/** A Nest application on Fastify that uses the error envelope on every path, before and after routing. */
export async function createHttpApplication(
  root: Type<unknown> | DynamicModule,
  options: HttpApplicationOptions,
): Promise<NestFastifyApplication> {
  const { limits, logger, connections, api = V2_API } = options;
  const adapter = new FastifyAdapter({
    logger: false,
    genReqId: (request: IncomingMessage) => requestIdOf(request.headers['x-request-id']),
    clientErrorHandler: (error: Error, socket: Socket) => {
      if ('code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT') connections.count('head_late');
      answerClientError(fastify.server, api, error, socket);
    },
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      // No hook runs for a target that cannot be read.
      reply.raw.once('finish', () => options.observe(request, reply));
      const unreadable = refuse('bad_request', { case: 'target_encoding' });
      sendRejection(reply, refusalBeforeRoute(request, reply, options) ?? unreadable);
    },
    routerOptions: { maxParamLength: 4 * limits.headerBytes },
    bodyLimit: Number.MAX_SAFE_INTEGER,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    forceCloseConnections: 'idle',
    // Requests that arrive while the service stops are answered as usual, and their connection is closed.
    return503OnClosing: false,
    http: {
      // Wider than our own limit, so that our refusal can name the exceeded limit.
      maxHeaderSize: 4 * limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
      noDelay: true,
    },
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  fastify.server.maxHeadersCount = 0;
  connections.watch(fastify.server);
  // A client that closes its side after its request still gets its answer.
  Reflect.set(fastify.server, 'httpAllowHalfOpen', true);
  refuseConnect(api, fastify.server);
  // Unknown expectations are ignored; the server itself answers 100-continue.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
  rememberRejections(fastify);
  fastify.decorate('httpApi', api);
  if (options.tracer !== null) traceRequests(fastify, options.tracer);
  fastify.addHook('onRequest', carryCallContext);
  installChecks(fastify, options);
  installBodyReader(fastify, options);
  chargeAnswers(fastify, options);
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: nestLog(logger),
    bodyParser: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new EnvelopeFilter(logger));
  return app;
}

/** The first checks, before routing. */
function refusalBeforeRoute(
  request: FastifyRequest,
  reply: FastifyReply,
  { limits, guard, verify = () => null }: HttpApplicationOptions,
): Refusal | null {
  void reply.header('x-request-id', request.id);
  // RFC 9112, 6.1: HTTP/1.0 has no chunked encoding, so the end of the request is unknown.
  if (request.raw.httpVersionMinor === 0 && request.headers['transfer-encoding'] !== undefined) {
    void reply.header('connection', 'close');
  }
  return verify(request) ?? checkHead(request, limits) ?? guard(request, reply);
}

function installChecks(fastify: FastifyInstance, options: HttpApplicationOptions): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const rejection = refusalBeforeRoute(request, reply, options);
    if (rejection !== null) {
      sendRejection(reply, rejection);
      return;
    }
    if (reply.sent) return;
    if (request.is404) {
      const unknown = unknownRoute(request);
      if (unknown.allow !== null) void reply.header('allow', unknown.allow);
      sendRejection(reply, unknown.rejection);
      return;
    }
    options.admit(request).then(
      (refused) => {
        if (refused !== null) {
          sendRejection(reply, refused);
          return;
        }
        options.connections.authenticated(request.raw.socket);
        done();
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  });
  // When the answer is sent: a request may have come long before the stop.
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (options.connections.isLeaving) void reply.header('connection', 'close');
    done(null, payload);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    options.observe(request, reply);
    done();
  });
}

function installBodyReader(fastify: FastifyInstance, options: HttpApplicationOptions): void {
  const { limits, streamedBodies, connections, bodies, bodyBytesOf } = options;
  const { httpApi } = fastify;
  const shares = new RequestNote<BodyShare>();
  fastify.removeAllContentTypeParsers();
  // The handler may still use the body before the answer is sent, and also after the client is gone. No longer: a client may
  // take its answer as slowly as it likes.
  fastify.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function (request, reply): unknown {
      const handle = (): unknown => handler.call(this, request, reply);
      const share = shares.of(request);
      return share === undefined ? handle() : share.holdWhile(handle).finally(() => leaveBody(request, reply, share));
    };
  });
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    const { headers } = request.raw;
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
      const share = connections.shareOf(bodies);
      shares.set(request, share);
      reply.raw.once('close', () => share.end());
    }
    done(null, payload);
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    // No route answers 415: the bytes decide what a body is. Only a streamed body needs its header, and Fastify
    // fails on one that is not a media type.
    const isStreamed = streamedBodies.has(`${request.method} ${request.routeOptions.url}`);
    if (isStreamed) boundUnread(request.raw);
    if (!isStreamed || request.mediaType === undefined) {
      // Set, not deleted: deleting a key makes the object slow to read, and headers are read often.
      request.raw.headers['content-type'] = undefined;
    }
    done();
  });
  fastify.addContentTypeParser(
    '*',
    (request: FastifyRequest, payload: unknown, done: (error: Error | null, body?: unknown) => void) => {
      if (streamedBodies.has(`${request.method} ${request.routeOptions.url}`)) return done(null, payload);
      const own = bodyBytesOf === undefined ? limits : { ...limits, bodyBytes: bodyBytesOf(request) };
      readBody(httpApi, request.raw, own, shares.of(request)!).then(
        (body) => done(null, body),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  );
}

/** A refused body is freed at once: nothing uses it, and the collector is slow to notice bytes outside its heap. */
function leaveBody(request: FastifyRequest, { raw, statusCode }: FastifyReply, share: BodyShare): void {
  const { body } = request;
  if (!Buffer.isBuffer(body)) return;
  request.body = undefined;
  if (raw.headersSent && statusCode >= 400 && statusCode < 500) freeBytes(body);
  share.end();
}
