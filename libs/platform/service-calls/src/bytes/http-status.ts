import { status } from '@grpc/grpc-js';

/** HTTP statuses by gRPC status */
const HTTP_STATUSES: Readonly<Record<number, number>> = {
  [status.OK]: 200,
  [status.INVALID_ARGUMENT]: 400,
  [status.UNAUTHENTICATED]: 401,
  [status.PERMISSION_DENIED]: 403,
  [status.UNIMPLEMENTED]: 404,
  [status.RESOURCE_EXHAUSTED]: 413,
  [status.INTERNAL]: 500,
  [status.UNAVAILABLE]: 503,
  [status.DEADLINE_EXCEEDED]: 504,
};

export function httpStatusOf(code: number): number {
  return HTTP_STATUSES[code] ?? 500;
}

/** The HTTP status of a refused call, a 4xx; undefined for every other gRPC status. */
export function refusalStatusOf(code: number): number | undefined {
  const found = HTTP_STATUSES[code];
  return found !== undefined && found >= 400 && found < 500 ? found : undefined;
}

export function grpcStatusOf(httpStatus: number): number {
  const found = Object.keys(HTTP_STATUSES).find((code) => HTTP_STATUSES[Number(code)] === httpStatus);
  return found === undefined ? status.INTERNAL : Number(found);
}
