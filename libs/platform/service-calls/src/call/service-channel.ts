import { Client, credentials } from '@grpc/grpc-js';
import type { ChannelCredentials, Metadata, MethodDefinition, ServiceError } from '@grpc/grpc-js';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import { currentCallContext } from '@heddle/platform-telemetry';
import type { Tracer } from '@heddle/platform-telemetry';
import { WatchedCalls } from './watched-calls.js';
import type { MadeCall } from './watched-calls.js';
import type { RenewableTls } from '../call-tls.js';
import { MAX_BODY_DEFAULT_BYTES } from '../message-limits.js';
import { HEALTH } from '../serve/health.js';
import { errorOfStatus } from './call-status.js';
import { callMetadata } from './grpc-channel.js';
import { channelOptions } from './channel-options.js';
import type { CalledMethod } from './channel-options.js';
import { identityCheck, targetOf } from './service-names.js';
import { tlsCredentials } from './tls-credentials.js';

export interface ServiceChannelOptions {
  /** Name of the called service, for errors */
  readonly service: string;
  /** One URL per process, or one URL whose name has several addresses. */
  readonly targets: readonly string[];
  /** The token of this process. Read for each call, because it may be renewed. */
  token(): string;
  /** For https addresses: `ca` verifies the service; `key` and `cert` are for a service that verifies its callers. */
  readonly tls?: RenewableTls | null;
  /** Calls that may reach the service twice */
  readonly repeatable: readonly CalledMethod[];
  /** The largest body of a client that a call carries: HEDDLE_BODY_BYTES. */
  readonly maxBodyBytes?: number;
  readonly tracer?: Tracer | null;
  /** Called when a call has ended. */
  observe?(call: MadeCall): void;
}

const DEADLINE_MS = 10_000;

/** Makes unary calls of one other service. */
export class ServiceChannel {
  readonly service: string;
  readonly #client: Client;
  readonly #token: () => string;
  readonly #watched: WatchedCalls;

  constructor({ service, targets, token, tls, repeatable, maxBodyBytes, tracer, observe }: ServiceChannelOptions) {
    if (targets.length === 0) throw new Error(`there is no address of the ${service} service`);
    this.service = service;
    this.#token = token;
    this.#watched = new WatchedCalls(tracer ?? null, observe ?? null);
    const secured = credentialsFor(service, targets, tls ?? null);
    const options = channelOptions(repeatable, maxBodyBytes ?? MAX_BODY_DEFAULT_BYTES);
    this.#client = new Client(targetOf(service, targets), secured, options);
  }

  async call<Request, Response>(
    method: MethodDefinition<Request, Response>,
    request: Request,
    deadlineMs = DEADLINE_MS,
  ): Promise<Response> {
    return await this.watch(method.path, async () => await this.send(method, request, deadlineMs));
  }

  /** Measures one call, and adds a span to the trace of the request that caused it. */
  async watch<T>(path: string, work: () => Promise<T>): Promise<T> {
    return await this.#watched.watch(path, work);
  }

  /** For readiness: null if a process of the service answers and accepts the token, else the reason. */
  async probe(deadlineMs: number): Promise<string | null> {
    try {
      const serving = await this.send(HEALTH.check, { service: '' }, deadlineMs);
      return serving === 'SERVING'
        ? null
        : `the ${this.service} service is not ready: its /readyz names what it waits for`;
    } catch (error) {
      return errorMessage(error);
    }
  }

  close(): Promise<void> {
    this.#client.close();
    return Promise.resolve();
  }

  /** Sends one message without a span or metrics: it may carry calls of several requests. */
  send<Request, Response>(
    { path, requestSerialize, responseDeserialize }: MethodDefinition<Request, Response>,
    request: Request,
    deadlineMs = DEADLINE_MS,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      const metadata = metadataOf(this.#token());
      const options = { deadline: Date.now() + deadlineMs };
      const answered = (error: ServiceError | null, response?: Response): void => {
        if (error === null) resolve(response as Response);
        else reject(errorOfStatus(this.service, error));
      };
      this.#client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, options, answered);
    });
  }
}

/** Metadata of a call: token, request id and trace context. */
function metadataOf(token: string): Metadata {
  const metadata = callMetadata(token);
  const context = currentCallContext();
  if (context === null) return metadata;
  metadata.set('x-request-id', context.requestId);
  if (context.traceparent !== null) metadata.set('traceparent', context.traceparent);
  return metadata;
}

function credentialsFor(service: string, urls: readonly string[], tls: RenewableTls | null): ChannelCredentials {
  const secured = urls.filter((url) => url.startsWith('https:')).length;
  if (secured === 0) return credentials.createInsecure();
  if (secured < urls.length) throw new Error(`the addresses of the ${service} service are not all https`);
  return tlsCredentials(tls, identityCheck(service, urls, tls?.current ?? {}));
}
