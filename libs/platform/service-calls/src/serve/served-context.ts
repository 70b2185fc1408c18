import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { Controller } from '@nestjs/common';
import type { Provider, Type } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { maxCallBytes } from '../message-limits.js';

/** What holds for one call. */
export interface CallRule {
  /** Services whose tokens open it. */
  readonly openTo: readonly string[];
  /** Of its request message; 1 MiB where it is not given. `body`: it carries the body of a request of a client. */
  readonly maxBytes?: number | 'body';
}

/** What a process serves of one context. */
export interface ServedContext {
  readonly definition: ServiceDefinition;
  /** By the names that the definition gives its calls. */
  readonly rules: Readonly<Record<string, CallRule>>;
  readonly controller: Type;
  readonly providers: readonly Provider[];
}

type Method<Definition> =
  Definition extends MethodDefinition<infer Request, infer Response>
    ? (request: Request) => Response | Promise<Response>
    : never;

/** The methods of a controller that serves a definition: a call without one does not compile. */
export type Serving<Service extends ServiceDefinition> = { readonly [Name in keyof Service]: Method<Service[Name]> };

/** A message of more bytes than its call takes; it is not decoded. */
export class OversizedMessage {
  constructor(readonly details: string) {}
}

const MAX_BYTES = 1024 ** 2;

/** A controller of Nest whose methods serve the unary calls of a definition, each under the name it has there. */
export function GrpcController(definition: ServiceDefinition): ClassDecorator {
  return (controller) => {
    Controller()(controller);
    const prototype = controller.prototype as object;
    for (const name of Object.keys(definition)) {
      const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
      if (descriptor === undefined) throw new Error(`${controller.name} does not serve ${name}`);
      GrpcMethod(serviceOf(definition).split('.').at(-1)!, name)(prototype, name, descriptor);
    }
  };
}

/** The full name of a service, such as `heddle.logs.v1.LogsService`. */
export function serviceOf(definition: ServiceDefinition): string {
  return Object.values(definition)[0]!.path.split('/')[1]!;
}

export function packageOf(definition: ServiceDefinition): string {
  return serviceOf(definition).split('.').slice(0, -1).join('.');
}

/** The definition with the limits of its calls; `maxBodyBytes` is the largest body of a client. */
export function boundedDefinition({ definition, rules }: ServedContext, maxBodyBytes: number): ServiceDefinition {
  return Object.fromEntries(
    Object.entries(definition).map(([name, method]) => {
      const given = rules[name]?.maxBytes ?? MAX_BYTES;
      const limit = given === 'body' ? maxCallBytes(maxBodyBytes) : given;
      const requestDeserialize = (bytes: Buffer): unknown =>
        bytes.length > limit ? new OversizedMessage(tooLarge(bytes.length, limit)) : method.requestDeserialize(bytes);
      return [name, { ...method, requestDeserialize }];
    }),
  );
}

function tooLarge(bytes: number, limit: number): string {
  return `the message has ${bytes} bytes, and this call takes ${limit} at most`;
}
