import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

/**
 * Lets a handler's failure reach the bus as it is. Nest would replace it by "Internal server error", and a dead letter
 * would carry that for a reason.
 */
@Catch()
export class MessageFailureFilter implements RpcExceptionFilter {
  catch(failure: unknown): Observable<never> {
    return throwError(() => failure);
  }
}
