import { isPublisherId } from '@heddle/registry-domain';
import { QueryPipe, required } from '../read-request/query.pipe.js';
import type { Parameter, QueryOf } from '../read-request/query.pipe.js';

const publisherId: Parameter<string | null> = {
  absent: null,
  read: ([text]) => (isPublisherId(text!) ? text! : undefined),
  must: 'must be 2 to 64 lower-case letters, digits or "-", the first a letter',
};
const QUERY = { username: required(publisherId, 'is missing') };

export type PublisherIdQuery = QueryOf<typeof QUERY>;
export const publisherIdQuery = new QueryPipe(QUERY);
