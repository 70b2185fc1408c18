import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { Controller } from '@nestjs/common';
import type { Provider, Type } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { maxCallBytes } from '../message-limits.js';

/** Rules of one call */
export interface CallRule {
  /** Services whose tokens are accepted */
  readonly openTo: readonly string[];
  /** Limit on the request message; default 1 MiB. `body`: the message carries the body of a client's request. */
  readonly maxBytes?: number | 'body';
}

/** The calls of one context that a process serves */
export interface ServedContext {
  readonly definition: ServiceDefinition;
  /** Rules by the call names of the definition */
  readonly rules: Readonly<Record<string, CallRule>>;
  readonly controller: Type;
  readonly providers: readonly Provider[];
}

type Method<Definition> =
  Definition extends MethodDefinition<infer Request, infer Response>
    ? (request: Request) => Response | Promise<Response>
    : never;

/** The methods of a controller for a definition. A missing method is a compile error. */
export type Serving<Service extends ServiceDefinition> = { readonly [Name in keyof Service]: Method<Service[Name]> };

/** A message beyond the limit of its call, which is not decoded */
export class OversizedMessage {
  constructor(readonly details: string) {}
}

const MAX_BYTES = 1024 ** 2;

/** Nest controller whose methods serve the unary calls of a definition, by name. */
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

/** Full name of a service, for example `heddle.logs.v1.LogsService`. */
export function serviceOf(definition: ServiceDefinition): string {
  return Object.values(definition)[0]!.path.split('/')[1]!;
}

export function packageOf(definition: ServiceDefinition): string {
  return serviceOf(definition).split('.').slice(0, -1).join('.');
}

/** Adds the limits of the calls to a definition. `maxBodyBytes`: maximum body of a client. */
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
  return `the message has ${bytes} bytes; the limit of this call is ${limit}`;
}
