import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

/**
 * Passes a handler's failure to the bus unchanged. Nest would replace it with "Internal server error", which a dead
 * letter would then carry as its reason.
 */
@Catch()
export class MessageFailureFilter implements RpcExceptionFilter {
  catch(failure: unknown): Observable<never> {
    return throwError(() => failure);
  }
}
