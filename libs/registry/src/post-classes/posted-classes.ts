import type { WfNode, WfNodePolicy } from '@heddle/contracts-registry';
import { isJsonObject } from '@heddle/platform-http';

const POLICIES: readonly WfNodePolicy[] = ['WfNodePolicyActive', 'WfNodePolicyBanned', 'WfNodePolicyLocalOnly'];
const MAX_NAME = 200;
/** More problems than this are not all named. */
const MAX_NAMED = 20;

type GivenFields = Readonly<Record<string, unknown>>;
type Read<T> = (value: unknown) => T | undefined;

const text: Read<string> = (value) => (typeof value === 'string' && !value.includes('\0') ? value : undefined);
const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);
const flags: Read<readonly boolean[]> = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'boolean') ? (value as boolean[]) : undefined;
const texts: Read<readonly string[]> = (value) =>
  Array.isArray(value) && value.every((one) => text(one) !== undefined) ? (value as string[]) : undefined;
const policy: Read<WfNodePolicy> = (value) => POLICIES.find((one) => one === value);
const json =
  (isRight: (value: unknown) => boolean): Read<string> =>
  (value) => {
    try {
      return typeof value === 'string' && isRight(JSON.parse(value)) ? value : undefined;
    } catch {
      return undefined;
    }
  };

/** Each field: its value where it is absent, how it is read, and what it must be. */
const FIELDS: {
  readonly [Field in Exclude<keyof WfNode, 'wf_node_name'>]: readonly [WfNode[Field], Read<WfNode[Field]>, string];
} = {
  category: ['', text, 'a string'],
  description: ['', text, 'a string'],
  function: ['', text, 'a string'],
  deprecated: [false, flag, 'true or false'],
  experimental: [false, flag, 'true or false'],
  input_types: ['{}', json(isJsonObject), 'the JSON text of an object'],
  return_types: ['[]', json(Array.isArray), 'the JSON text of an array'],
  return_names: ['[]', json(Array.isArray), 'the JSON text of an array'],
  output_is_list: [[], flags, 'a list of true and false'],
  output_node: [false, flag, 'true or false'],
  policy: ['WfNodePolicyActive', policy, `one of ${POLICIES.join(', ')}`],
  unknown: [[], texts, 'a list of strings'],
};

/** Classes as an extractor of the operator posted them, by name; or the problem of each field, by its path. */
export function postedClasses(
  nodes: GivenFields,
): { readonly nodes: readonly WfNode[] } | { readonly problems: Readonly<Record<string, string>> } {
  const problems: [string, string][] = [];
  const classes = Object.entries(nodes).map(([name, given]) => {
    if (name === '' || name.length > MAX_NAME || name.includes('\0')) {
      problems.push(['nodes', `must have names of 1 to ${MAX_NAME} characters`]);
    }
    if (!isJsonObject(given)) problems.push([`nodes.${name}`, 'must be an object']);
    return classIn(name, isJsonObject(given) ? (given as GivenFields) : {}, problems);
  });
  return problems.length === 0 ? { nodes: classes } : { problems: Object.fromEntries(problems.slice(0, MAX_NAMED)) };
}

function classIn(name: string, given: GivenFields, problems: [string, string][]): WfNode {
  const fields = Object.entries(FIELDS).map(([field, [absent, read, wanted]]) => {
    const value = given[field] ?? absent;
    const found = (read as Read<unknown>)(value);
    if (found === undefined) problems.push([`nodes.${name}.${field}`, `must be ${wanted}`]);
    return [field, found];
  });
  return { wf_node_name: name, ...Object.fromEntries(fields) } as WfNode;
}
