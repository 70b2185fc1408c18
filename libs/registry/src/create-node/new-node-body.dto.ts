import { isNodeId } from '@heddle/registry-domain';
import { Holds } from '../read-request/body-rules.js';
import { NODE_ID_RULE, NodeBody } from '../read-request/node-body.dto.js';

/** A node that is made without a version. */
export class NewNodeBody extends NodeBody {
  @Holds(NODE_ID_RULE, isNodeId, true)
  declare id: unknown;
}
