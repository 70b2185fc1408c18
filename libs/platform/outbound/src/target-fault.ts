/** Why a URL that somebody else wrote is not called. `resolved_address`: known only when its name is resolved. */
export type TargetFault =
  | 'length'
  | 'character'
  | 'form'
  | 'scheme'
  | 'user_info'
  | 'own_host'
  | 'port'
  | 'local_name'
  | 'private_address'
  | 'resolved_address';

/** What the writer of the URL must change, as the end of a sentence that begins with the field. */
export const TARGET_FAULT_TEXTS: Readonly<Record<TargetFault, string>> = {
  length: 'must have at most 2048 characters',
  character: 'must not contain spaces, backslashes or control characters',
  form: 'must be an absolute URL',
  scheme: 'must be an https URL',
  user_info: 'must not contain a user name or a password',
  own_host: 'must not lead to this service',
  port: 'must use port 80, 443, or a port from 1024',
  local_name: 'must name a host of the public Internet',
  private_address: 'must lead to a public address',
  resolved_address: 'must lead to public addresses only',
};

/** The target must not be called. The message repeats neither the URL nor an address. */
export class TargetRefusedError extends Error {
  constructor(readonly fault: TargetFault) {
    super(`the URL ${TARGET_FAULT_TEXTS[fault]}`);
  }
}
