import { REGISTRY_LIMITS, TOKEN_ACTIONS, TOKEN_LIFE_S } from '@heddle/contracts-registry';
import type { TokenAction } from '@heddle/contracts-registry';
import { isNodeId, nodeKey } from '@heddle/registry-domain';
import { ValidateBy, ValidateIf } from 'class-validator';
import { isAbsent, OptionalText, OptionalWhole, RequiredText } from '../read-request/body-rules.js';
import type { GivenFields } from '../read-request/given-fields.js';

const { description, list, name } = REGISTRY_LIMITS;
const { min, max } = TOKEN_LIFE_S;
const DEFAULT_ACTIONS: readonly TokenAction[] = ['publish', 'deprecate'];

/** What a new token may do, and for how long. */
export class TokenBody {
  @RequiredText(name)
  name: unknown;

  @OptionalText(description)
  description: unknown;

  @OptionalWhole(min, max)
  expires_in: unknown;

  @ListOf(`must be a list of 1 to ${list} node ids`, (item) => typeof item === 'string' && isNodeId(item))
  nodes: unknown;

  @ListOf(`must be a list of ${TOKEN_ACTIONS.join(', ')}`, (item) => TOKEN_ACTIONS.includes(item as TokenAction))
  actions: unknown;

  constructor(fields: GivenFields) {
    this.name = fields['name'];
    this.description = fields['description'];
    this.expires_in = fields['expires_in'];
    this.nodes = fields['nodes'];
    this.actions = fields['actions'];
  }

  toToken(): NewToken {
    return {
      name: this.name as string,
      description: isAbsent(this.description) ? '' : (this.description as string),
      expiresInS: isAbsent(this.expires_in) ? TOKEN_LIFE_S.default : (this.expires_in as number),
      nodes: isAbsent(this.nodes) ? null : (this.nodes as string[]).map(nodeKey),
      actions: isAbsent(this.actions) ? DEFAULT_ACTIONS : [...new Set(this.actions as TokenAction[])],
    };
  }
}

export interface NewToken {
  readonly name: string;
  readonly description: string;
  readonly expiresInS: number;
  /** Keys of nodes; null: all of the publisher. */
  readonly nodes: readonly string[] | null;
  readonly actions: readonly TokenAction[];
}

function ListOf(message: string, holds: (item: unknown) => boolean): PropertyDecorator {
  const validate = (value: unknown): boolean =>
    Array.isArray(value) && value.length >= 1 && value.length <= list && value.every(holds);
  const check = ValidateBy({ name: 'listOf', validator: { validate, defaultMessage: () => message } });
  const given = ValidateIf((_, value: unknown) => !isAbsent(value));
  return (target, property) => {
    given(target, property as string);
    check(target, property as string);
  };
}
