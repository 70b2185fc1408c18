import { LABEL_KEY_RULE } from '../request-limits.js';
import { code, type Limit } from './error-entry.js';
import { KEY_HEADER } from './job-errors.js';

/** Whether the graph came as the body of a submission or as a file. */
export interface DocumentSource {
  readonly source: 'body' | 'file';
}

const MAX_SHOWN_IDS = 3;

/** The body of POST /jobs and its graph. Problems of single nodes are described beside the rules of the graph. */
export const SUBMISSION_ERRORS = {
  invalid_workflow: code(422, 'the graph or the body of a submission failed validation; details.node_errors', {
    empty_text: ({ source }: DocumentSource) =>
      source === 'file'
        ? 'The file is empty. A workflow in API format is {"1": {"class_type": "…", "inputs": {…}}, …}.'
        : 'The body is empty. Send {"workflow": {…}} with a workflow in API format.',
    invalid_json: ({ source, line, column }: DocumentSource & { readonly line: number; readonly column: number }) =>
      `The ${source} is not valid JSON: the mistake is at line ${line}, column ${column}.`,
    byte_order_mark: ({ source }: DocumentSource) =>
      `The ${source} starts with a byte order mark (BOM), which JSON does not allow. Write it as UTF-8 without a byte order mark.`,
    invalid_utf8: ({ source }: DocumentSource) => `The ${source} is not valid UTF-8.`,
    not_text: ({ found }: { readonly found: string }) => `The file is not text: it is ${found}.`,
    duplicate_key: ({ path }: { readonly path: string }) =>
      `A key is repeated in one object: ${path}. Remove one of the two.`,
    too_deep: ({ limit }: Limit) =>
      `The JSON is nested deeper than ${limit} levels. The setting HEDDLE_JSON_DEPTH raises this limit.`,
    too_many_keys: ({ limit }: Limit) =>
      `The JSON holds more than ${limit} keys. The setting HEDDLE_JSON_KEYS raises this limit.`,
    too_many_lists: ({ limit }: Limit) =>
      `The JSON holds more than ${limit} lists and objects. The setting HEDDLE_JSON_LISTS raises this limit.`,
    number_too_long: ({ limit }: Limit) =>
      `A number is longer than ${limit} characters. The setting HEDDLE_NUMBER_DIGITS raises this limit.`,
    not_an_object: ({ source, found }: DocumentSource & { readonly found: string }) =>
      `The ${source} must be a JSON object, and it is ${found}.`,
    reserved_field: ({ field }: { readonly field: string }) =>
      `The field ${field} is reserved. Send the request without it.`,
    workflow_missing: 'The field workflow is missing. Send {"workflow": {…}} with a workflow in API format.',
    bare_graph: 'The body is a bare workflow: the field workflow is missing. Wrap it: {"workflow": <the graph>}.',
    prompt_body:
      'The body holds its graph in the field prompt, as the engine takes it. Rename the field to workflow: {"workflow": <the graph>}.',
    editor_body:
      'The body is a workflow in the editor\'s format. Export it in API format, and send that as {"workflow": <the graph>}.',
    workflow_not_object: 'The field workflow must be a JSON object: a workflow in API format.',
    extra_data_not_object: 'The field extra_data must be an object.',
    extra_data_unknown:
      'The field extra_data holds an unknown key. Only api_key_partner_org and auth_token_partner_org are accepted.',
    credential_not_text: ({ key }: { readonly key: string }) => `The field extra_data.${key} must be a string.`,
    credential_too_long: ({ key, limit }: Limit & { readonly key: string }) =>
      `The field extra_data.${key} is longer than ${limit} bytes. The setting HEDDLE_CREDENTIAL_BYTES raises this limit.`,
    key_header: KEY_HEADER,
    no_nodes: 'The workflow is empty: it has no nodes.',
    no_output: 'The workflow has no output node, so nothing would be kept of a run. Add a node that saves its input.',
    too_many_nodes: ({ limit }: Limit) =>
      `The workflow has more than ${limit} nodes. The setting HEDDLE_GRAPH_NODES raises this limit.`,
    too_many_links: ({ limit }: Limit) =>
      `The workflow has more than ${limit} links. The setting HEDDLE_GRAPH_LINKS raises this limit.`,
    too_many_assets: ({ limit }: Limit) =>
      `The workflow refers to assets more than ${limit} times. The setting HEDDLE_ASSET_REFERENCES raises this limit.`,
    nodes: ({ problems, nodes, sentences }: DescribedNodeProblems) => {
      const count = `${problems} ${problems === 1 ? 'problem' : 'problems'} in ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`;
      const rest = problems > sentences.length ? ['The field details.node_errors lists all problems.'] : [];
      return [`The workflow has ${count}.`, ...sentences, ...rest].join(' ');
    },
  }),
  workflow_format_ui: code(422, 'a workflow in UI format was submitted', {
    editor: "The workflow is in the editor's format. Export it in API format, and submit that.",
  }),
  missing_asset: code(422, 'a referenced asset does not exist or is not owned by the caller', {
    unknown: ({ ids }: { readonly ids: readonly string[] }) => {
      const more = ids.length > MAX_SHOWN_IDS ? ` and ${ids.length - MAX_SHOWN_IDS} more` : '';
      const shown = `${ids.slice(0, MAX_SHOWN_IDS).map(shownId).join(', ')}${more}`;
      return `The workflow refers to assets that do not exist, are not yours or are blocked: ${shown}. Upload the files again, and use the new ids.`;
    },
    without_id: ({ node, input }: { readonly node: string; readonly input: string }) =>
      `The input ${shownId(input)} of node ${shownId(node)} holds a core/ASSET object without an id. Its info.id must be the id of an asset.`,
  }),
  metadata_invalid: code(422, 'labels of a submission break their rules; details names the key', {
    not_an_object: 'The field metadata must be an object of strings.',
    too_many: ({ limit }: Limit) => `The field metadata holds more than ${limit} labels.`,
    key: ({ key }: LabelKey) => `The label key ${JSON.stringify(key)} is not valid: a key has ${LABEL_KEY_RULE}.`,
    not_text: ({ key }: LabelKey) => `The value of the label ${JSON.stringify(key)} must be a string.`,
    too_long: ({ key, limit }: Limit & LabelKey) =>
      `The value of the label ${JSON.stringify(key)} is longer than ${limit} characters.`,
    characters: ({ key }: LabelKey) =>
      `The value of the label ${JSON.stringify(key)} holds a control character, or one that changes the direction of text.`,
  }),
} as const;

export interface DescribedNodeProblems {
  readonly problems: number;
  readonly nodes: number;
  /** The first of them, a sentence or two each. */
  readonly sentences: readonly string[];
}

export interface LabelKey {
  readonly key: string;
}

function shownId(id: string): string {
  return JSON.stringify(id.length > 60 ? `${id.slice(0, 60)}…` : id);
}
