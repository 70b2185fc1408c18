import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import { status } from '@grpc/grpc-js';
import type { Server, ServiceDefinition } from '@grpc/grpc-js';

export const HEALTH_CHECK = '/grpc.health.v1.Health/Check';

type ServingStatus = 'UNKNOWN' | 'SERVING' | 'NOT_SERVING';
const STATUSES: readonly ServingStatus[] = ['UNKNOWN', 'SERVING', 'NOT_SERVING'];

interface HealthRequest {
  /** Full name of a service; empty for the whole process. */
  readonly service: string;
}

/** The gRPC health service, grpc.health.v1 */
export const HEALTH = {
  check: {
    path: HEALTH_CHECK,
    requestStream: false as const,
    responseStream: false as const,
    requestSerialize: ({ service }: HealthRequest): Buffer =>
      Buffer.from(new BinaryWriter().uint32(10).string(service).finish()),
    requestDeserialize: (bytes: Buffer): HealthRequest => {
      const reader = new BinaryReader(bytes);
      return { service: reader.len > 0 && reader.uint32() === 10 ? reader.string() : '' };
    },
    responseSerialize: (serving: ServingStatus): Buffer =>
      Buffer.from(new BinaryWriter().uint32(8).int32(STATUSES.indexOf(serving)).finish()),
    responseDeserialize: (bytes: Buffer): ServingStatus => {
      const reader = new BinaryReader(bytes);
      return (reader.len > 0 && reader.uint32() === 8 ? STATUSES[reader.int32()] : undefined) ?? 'UNKNOWN';
    },
  },
} satisfies ServiceDefinition;

/** Serves health checks for the services of this server. */
export function serveHealth(server: Server, services: readonly string[], isServing: () => Promise<boolean>): void {
  server.addService(HEALTH, {
    check: (
      { request: { service } }: { readonly request: HealthRequest },
      answer: (error: object | null, serving?: string) => void,
    ) => {
      if (service !== '' && !services.includes(service)) {
        answer({ code: status.NOT_FOUND, details: `this process does not serve ${service}` });
      } else {
        void isServing().then((serving) => answer(null, serving ? 'SERVING' : 'NOT_SERVING'));
      }
    },
  });
}
