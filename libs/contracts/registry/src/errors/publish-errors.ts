import { code } from '@heddle/contracts-api-v2';

/** The id of what the text is about. */
export interface Named {
  readonly id: string;
}

export interface Banned extends Named {
  /** The operator's; "" for whom it does not concern, and where none was given. */
  readonly reason: string;
}

function because(reason: string): string {
  return reason === '' ? '' : ` The reason is "${reason}".`;
}

/** Refusals of publishers, nodes, versions and archives. */
export const PUBLISH_ERRORS = {
  invalid_archive: code(400, 'the uploaded archive is not a valid package', {
    archive: ({ problem }: { readonly problem: string }) => problem,
    digest: ({ expected, actual }: { readonly expected: string; readonly actual: string }) =>
      `The archive has the SHA-256 digest ${actual}, but the version was published with ${expected}. Upload the file that was published.`,
  }),
  invalid_token: code(401, 'the publisher’s token is not known', {
    // One text for every fault, so that it does not show which tokens or publishers exist.
    token:
      'This needs a valid token of the publisher. Make one with: heddle registry create-token PUBLISHER --name NAME',
  }),
  publisher_banned: code(403, 'the publisher is banned', {
    publisher: ({ id, reason }: Banned) => `The publisher ${id} is banned.${because(reason)}`,
  }),
  node_banned: code(403, 'the node or the version is banned', {
    node: ({ id, reason }: Banned) => `The node ${id} is banned.${because(reason)}`,
    version: ({ id, reason }: Banned) => `The version ${id} is banned.${because(reason)}`,
  }),
  publisher_limit: code(403, 'the account has reached its limit of publishers', {
    publishers: ({ limit }: { readonly limit: number }) =>
      `The account owns ${limit} publishers, which is the limit. The setting HEDDLE_REGISTRY_PUBLISHERS raises this limit.`,
  }),
  invalid_signature: code(403, 'the upload URL is changed, expired or replaced', {
    upload:
      'This upload URL is changed, expired, or replaced by a newer one. Publish the version again to get a new URL.',
  }),
  version_exists: code(409, 'the version has bytes', {
    version: ({ id }: Named) => `The version ${id} exists. A version never changes: publish the next number.`,
  }),
  publisher_exists: code(409, 'the publisher id is taken', {
    publisher: ({ id }: Named) => `The publisher id ${id} is taken. Choose another one.`,
  }),
  node_exists: code(409, 'the node id is taken', {
    deleted: ({ id }: Named) => `The node ${id} was deleted; its id is never free again. Choose another one.`,
    node: ({ id }: Named) => `The node id ${id} is taken. Choose another one.`,
  }),
  name_too_similar: code(409, 'another node has an id that looks the same', {
    node: ({ id, other }: Named & { readonly other: string }) =>
      `The node id ${id} looks like ${other}, which exists. Choose an id that cannot be confused with it.`,
  }),
  repository_taken: code(409, 'another node has this repository', {
    repository: ({ other }: { readonly other: string }) =>
      `The repository belongs to the node ${other}. Publish to that node, or name another repository.`,
  }),
  already_uploaded: code(409, 'the version has its bytes', {
    upload: 'This version has its bytes already. A version never changes: publish the next number.',
  }),
  already_set: code(409, 'already done, or not possible in this state', {
    not_flagged: ({ id, status }: Named & { readonly status: string }) =>
      `The version ${id} is ${status}: only a flagged version can be reviewed again.`,
    not_unclaimed: ({ id, publisher }: Named & { readonly publisher: string }) =>
      `The node ${id} belongs to the publisher ${publisher} and cannot be claimed.`,
  }),
  last_owner: code(409, 'a publisher must keep one owner', {
    member: 'This is the last owner of the publisher. Make another member an owner first.',
  }),
  range_not_satisfiable: code(416, 'the range lies outside of the archive', {
    range: ({ sizeBytes }: { readonly sizeBytes: number }) =>
      `The archive has ${sizeBytes} bytes; the range lies outside.`,
  }),
} as const;
