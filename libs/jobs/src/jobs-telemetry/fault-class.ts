import type { JobErrorCode } from '@heddle/contracts-messages';

/** Whose fault the end of a job is: the request's, or the service's. Availability counts only the latter. */
export function faultOf(code: JobErrorCode): 'user' | 'platform' {
  switch (code) {
    case 'node_execution_error':
    case 'out_of_memory':
    case 'timeout':
    case 'credential_expired':
    case 'output_limit':
      return 'user';
    case 'worker_lost':
    case 'engine_error':
    case 'credential_lost':
      return 'platform';
  }
}
