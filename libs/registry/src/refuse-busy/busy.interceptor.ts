import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { RejectionError } from '@heddle/platform-http';
import { catchError } from 'rxjs';
import type { Observable } from 'rxjs';
import { busyRefusal } from './busy-refusal.js';

/** Requests over the limit get a 429 with Retry-After, not a 500. */
@Injectable()
export class BusyInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        const refusal = busyRefusal(error);
        throw refusal === null ? error : new RejectionError(refusal);
      }),
    );
  }
}
