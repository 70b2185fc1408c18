import { busy, code, ERROR_CODES, later, sizeText } from '@heddle/contracts-api-v2';
import { PROXY_CASES } from './proxy-errors.js';

/** Problems of any request. The texts of v2 apply where the status is the same. */
export const REQUEST_ERRORS = {
  invalid_request: code(400, 'the body or a header is malformed', {
    ...ERROR_CODES.bad_request.texts,
    no_token: 'The field personal_access_token is required.',
    no_account: ({ account }: { readonly account: string }) => `The field account names no account: ${account}.`,
    no_repository: ({ id }: { readonly id: string }) =>
      `The node ${id} has no repository, so ownership cannot be proven. Ask the operator.`,
    forge: ({ host, forges }: { readonly host: string; readonly forges: readonly string[] }) =>
      `The repository is at ${host}, but nodes can only be claimed from ${forges.join(', ')}. The setting HEDDLE_REGISTRY_FORGES adds hosts.`,
    zero_character: 'The request target contains a null character (%00). Remove it.',
    part: 'An upload URL does not accept parts of an archive. Send the whole archive in one PUT, without the header Content-Range.',
    no_json: ({ must }: { readonly must: string }) => `The body ${must}.`,
    dense_json: ({ depth, lists, keys, digits }: Readonly<Record<'depth' | 'lists' | 'keys' | 'digits', number>>) =>
      `The JSON of the body is too complex. At most ${depth} levels, ${counted(lists)} lists and objects, ${counted(keys)} keys, and ${counted(digits)} digits a number are accepted. Send only the fields of the task.`,
    task_fields: PROXY_CASES.fields,
    idempotency_key: PROXY_CASES.idempotency_key,
    vendor_refused: PROXY_CASES.vendor_refused,
  }),
  invalid_parameter: code(400, 'a query parameter is not valid', {
    /** `parameters`: what is wrong with each of them, `must be …`. */
    parameters: ({ parameters }: { readonly parameters: Readonly<Record<string, string>> }) =>
      Object.entries(parameters)
        .map(([name, problem]) => `The parameter ${name} ${problem}.`)
        .join(' '),
  }),
  unauthorized: code(401, 'the credential is missing or unknown', {
    credential: ERROR_CODES.unauthorized.texts.credential,
    token: 'The field personal_access_token must hold a token of the publisher.',
    callback: PROXY_CASES.callback,
  }),
  forbidden: code(403, 'the credential may not do this', {
    role: ({ publisher }: { readonly publisher: string }) => `Only an owner of the publisher ${publisher} may do this.`,
    member: ({ publisher }: { readonly publisher: string }) =>
      `Only a member of the publisher ${publisher} may do this.`,
    node: ({ id }: { readonly id: string }) => `The node ${id} belongs to another publisher.`,
    action: ({ action }: { readonly action: string }) =>
      `This token may not ${action}. Make one that may with: heddle registry create-token PUBLISHER --name NAME --actions ${action}`,
    token_node: ({ id }: { readonly id: string }) =>
      `This token is not for the node ${id}. Use one whose nodes name it, or one for every node.`,
    reserved: ({ id }: { readonly id: string }) => `The node id ${id} is reserved. Choose another one.`,
    suspended: ERROR_CODES.forbidden.texts.suspended,
  }),
  forbidden_origin: ERROR_CODES.forbidden_origin,
  not_found: code(404, 'unknown, or not for the caller to see', {
    resource: 'There is nothing here. The document /openapi.json lists every route.',
    publisher: ERROR_CODES.not_found.texts.publisher,
    node: ERROR_CODES.not_found.texts.node,
    version: ERROR_CODES.not_found.texts.version,
    no_version: ({ id }: { readonly id: string }) => `The node ${id} has no active version.`,
    wf_node: ({ name }: { readonly name: string }) => `No node has the class ${name}.`,
    token: ({ id }: { readonly id: string }) =>
      `The publisher has no token with the id "${id}". Its list of tokens has them.`,
    member: ({ id }: { readonly id: string }) =>
      `The publisher has no member with the id "${id}". Its list of members has them.`,
    task: PROXY_CASES.task,
  }),
  method_not_allowed: ERROR_CODES.method_not_allowed,
  request_timeout: ERROR_CODES.request_timeout,
  payload_too_large: code(413, 'the body or the archive is over its limit', {
    ...ERROR_CODES.payload_too_large.texts,
    json: ({ limit }: { readonly limit: number }) => `The body is larger than ${sizeText(limit)}.`,
    archive: ({ limit }: { readonly limit: number }) =>
      `The archive is larger than ${sizeText(limit)}. The setting HEDDLE_REGISTRY_ARCHIVE_BYTES raises this limit.`,
  }),
  uri_too_long: ERROR_CODES.uri_too_long,
  rate_limited: busy('too many requests of an address, a publisher or a node', {
    ...ERROR_CODES.rate_limited.texts,
    registry_busy:
      'The registry has no free connection to its database now. Nothing was changed: send the request again.',
    reads: ({ rate }: { readonly rate: number }) =>
      `This address reads more than ${rate} times a second. The setting HEDDLE_REGISTRY_READ_RATE raises this limit.`,
    new_nodes: ({ limit }: { readonly limit: number }) =>
      `The publisher made ${limit} nodes in a day. The setting HEDDLE_REGISTRY_NEW_NODES_DAY raises this limit.`,
    versions: ({ limit }: { readonly limit: number }) =>
      `The node got ${limit} versions in a day. The setting HEDDLE_REGISTRY_VERSIONS_DAY raises this limit.`,
    vendor: PROXY_CASES.busy,
  }),
  vendor_unavailable: later('a host that the answer depends on is unreachable', {
    challenge: ({ path }: { readonly path: string }) =>
      `The challenge was not found: ${path} could not be read without a redirect. Check that the file is there, and try again.`,
    breaker: PROXY_CASES.breaker,
  }),
  headers_too_large: ERROR_CODES.headers_too_large,
  upstream_error: code(500, 'an error of the service or its dependencies', {
    unexpected: ERROR_CODES.upstream_error.texts.unexpected,
    upload_failed: ERROR_CODES.upstream_error.texts.upload_failed,
  }),
} as const;

function counted(limit: number): string {
  return limit.toLocaleString('en-US');
}
