import { busy, code, sizeText, type Limit } from './error-entry.js';

/** Problems of a request before routing, or of any body. */
export const HTTP_ERRORS = {
  bad_request: code(400, 'unreadable HTTP or query', {
    not_http: 'The bytes are not a valid HTTP/1.1 request.',
    target: 'The request target must begin with a slash.',
    target_encoding: 'The request target cannot be read: its percent-encoding is malformed.',
    hosts: 'A request must have exactly one Host header.',
    authorizations: 'A request must have only one Authorization header.',
    key_in_target:
      'The request target holds an API key. Revoke the key, because others may have logged it, ' +
      'and send a new one in the Authorization header.',
    unreadable: 'The request cannot be read.',
    finely_cut: 'The body comes in thousands of chunks of a few bytes. Send chunks of 16 bytes or more.',
    ended_early: 'The connection ended before the whole body arrived. Send the request again.',
  }),
  not_found: code(404, 'unknown, not yours, expired or deleted; unknown routes too', {
    // Unknown, foreign, expired, deleted and malformed share one text (api-v2, Errors: Other rules 1).
    resource: 'There is nothing here, or it is not yours.',
    // Of the admin API, whose callers may see everything.
    account: ({ name }: { readonly name: string }) => `No account is named ${JSON.stringify(name)}.`,
    good_key: ({ keyId }: { readonly keyId: string }) =>
      `No active key has the id ${JSON.stringify(keyId)}: it is unknown, revoked or expired.`,
    deployment: ({ label, stage }: { readonly label: string; readonly stage: string }) =>
      `No ${stage} deployment has the label ${JSON.stringify(label)}.`,
    key: ({ keyId }: { readonly keyId: string }) => `No key has the id ${JSON.stringify(keyId)}.`,
    // Of the node registry too.
    publisher: ({ id }: { readonly id: string }) => `There is no publisher ${id}.`,
    node: ({ id }: { readonly id: string }) => `There is no node ${id}.`,
    version: ({ id, version }: { readonly id: string; readonly version: string }) =>
      `The node ${id} has no version ${version}.`,
    task: ({ id }: { readonly id: string }) => `No task of a partner vendor has the id ${JSON.stringify(id)}.`,
  }),
  method_not_allowed: code(405, 'the route does not support this method; the Allow header lists the supported ones', {
    method: ({ method, allow }: { readonly method: string; readonly allow: string }) =>
      `The method ${method} is not offered here. Use ${allow}.`,
    connect: 'The method CONNECT is not offered.',
  }),
  request_timeout: code(408, 'the request did not arrive in time', {
    request: 'The request did not arrive in time.',
    body: ({ seconds }: { readonly seconds: number }) =>
      `The body did not arrive within ${seconds} s. The setting HEDDLE_BODY_TIMEOUT_S raises this limit.`,
    slow_upload:
      'The upload arrived too slowly. The settings HEDDLE_SLOW_BODY_BYTES_PER_S and HEDDLE_UPLOAD_TIMEOUT_S allow slower ones.',
  }),
  payload_too_large: code(413, 'the body is over its limit', {
    body: ({ limit }: Limit) =>
      `The body is larger than ${sizeText(limit)}. The setting HEDDLE_BODY_BYTES raises this limit.`,
    length: 'The announced length of the body is larger than any limit.',
    announced_upload: ({
      announced,
      limit,
      frameLimit,
    }: Limit & { readonly announced: number; readonly frameLimit: number }) =>
      `The upload has ${sizeText(announced)}. Its file may have at most ${sizeText(limit)}, and its multipart frame ${sizeText(frameLimit)}. ` +
      'The setting HEDDLE_UPLOAD_BYTES raises the limit of the file.',
    upload: ({ limit }: Limit) =>
      `The upload is larger than ${sizeText(limit)}, its multipart frame included. The setting HEDDLE_UPLOAD_BYTES raises this limit.`,
    file: ({ limit }: Limit) =>
      `The file is larger than ${sizeText(limit)}. The setting HEDDLE_UPLOAD_BYTES raises this limit.`,
    account_storage: ({ limit }: Limit) =>
      `The account may store ${sizeText(limit)}, and would store more. Delete assets, or ask the operator for more storage.`,
  }),
  uri_too_long: code(414, 'the request target is over its limit', {
    target: ({ limit }: Limit) =>
      `The request target is longer than ${limit} bytes. The setting HEDDLE_URL_BYTES raises this limit.`,
    endless: 'The request target is far over its limit. The setting HEDDLE_URL_BYTES raises this limit.',
  }),
  headers_too_large: code(431, 'the request head is over its limit', {
    headers: ({ bytes, lines }: { readonly bytes: number; readonly lines: number }) =>
      `The headers are over their limit of ${bytes} bytes or ${lines} lines. ` +
      'The settings HEDDLE_HEADER_BYTES and HEDDLE_HEADER_LINES raise these limits.',
    endless: 'The headers are far over their limit. The setting HEDDLE_HEADER_BYTES raises this limit.',
  }),
  rate_limited: busy('too many job reads of the account, wrong keys of an address, or bytes of requests and answers', {
    wrong_keys: 'Too many wrong keys came from this address. Wait, and check the key.',
    job_reads: ({ rate }: { readonly rate: number }) =>
      `The account reads jobs more than ${rate} times a second. Use the event stream, or poll less often; ` +
      'the limits of the account, or else the settings HEDDLE_READ_RATE and HEDDLE_READ_BURST, raise this rate.',
    body_budget:
      'The service has reached its limit of request bytes in memory. Send the request again later. ' +
      'The setting HEDDLE_BODY_BUDGET_BYTES raises this limit.',
    answer_budget:
      'The service has reached its limit of response bytes that clients have not read. Send the request again later. ' +
      'The setting HEDDLE_BODY_BUDGET_BYTES raises this limit.',
    account_answers:
      'The account has reached its limit of response bytes that its clients have not read. Read those responses to their end ' +
      'or close their connections, and send the request again.',
  }),
  upstream_error: code(500, 'an error of the service or its dependencies', {
    unexpected: ({ requestId }: { readonly requestId: string }) =>
      `Something failed on the service's side. Its log names the cause beside the request id ${requestId}.`,
    change_unknown: ({ requestId }: { readonly requestId: string }) =>
      'It is unknown whether the change was made. Check its state before you send the request again. ' +
      `The service's log names the cause beside the request id ${requestId}.`,
    /** `reason`: null where it is not known. */
    no_catalogue: ({ reason }: { readonly reason: string | null }) =>
      `The engine has not described its node classes yet${reason === null ? '' : ` (${reason})`}. Send the request again later.`,
    submission_unknown:
      'It is unknown whether the job was created. Look the job up before you send the request again: ' +
      'list jobs with ?idempotency_key= if the request had a key.',
    older_replicas:
      'Another replica of the jobs service runs an earlier build, which cannot read jobs with a price. ' +
      'Send the request again half a minute after the last of them has stopped.',
    upload_failed: 'The upload could not be stored. Send it again later.',
    content_damaged: 'The stored bytes of this asset are damaged. Upload the file again.',
  }),
} as const;
