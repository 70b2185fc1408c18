import { ANY_COUNT, AT_LEAST_ONE, declareSettings, wholeNumber } from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';
import {
  DEFAULT_GRAPH_LIMITS,
  DEFAULT_SUBMISSION_LIMITS,
  type GraphLimits,
  type ScanLimits,
} from '@heddle/workflow-graph';

const DEFAULT_CREDENTIAL_BYTES = 8_192;

/** What an operator sets of the validation service. */
export const VALIDATION_SETTINGS = declareSettings('workflows', {
  graphNodes: wholeNumber('GRAPH_NODES', DEFAULT_GRAPH_LIMITS.maxNodes, AT_LEAST_ONE, {
    unit: 'nodes',
    meaning: 'maximum nodes of a graph',
  }),
  graphLinks: wholeNumber('GRAPH_LINKS', DEFAULT_GRAPH_LIMITS.maxLinks, AT_LEAST_ONE, {
    unit: 'links',
    meaning: 'maximum links of a graph',
  }),
  nodeInputs: wholeNumber('NODE_INPUTS', DEFAULT_GRAPH_LIMITS.maxInputsPerNode, AT_LEAST_ONE, {
    unit: 'inputs',
    meaning: 'maximum inputs of a graph node',
  }),
  nodeIdBytes: wholeNumber('NODE_ID_BYTES', DEFAULT_GRAPH_LIMITS.maxNodeIdBytes, AT_LEAST_ONE, {
    unit: 'bytes',
    meaning: 'maximum length of a graph node id',
  }),
  stringBytes: wholeNumber('STRING_BYTES', DEFAULT_GRAPH_LIMITS.maxStringBytes, AT_LEAST_ONE, {
    unit: 'bytes',
    meaning: 'maximum size of a text value in a graph',
  }),
  assetReferences: wholeNumber('ASSET_REFERENCES', DEFAULT_GRAPH_LIMITS.maxAssetReferences, ANY_COUNT, {
    unit: 'assets',
    meaning: 'maximum asset references of a graph',
  }),
  jsonDepth: wholeNumber(
    'JSON_DEPTH',
    DEFAULT_SUBMISSION_LIMITS.maxDepth,
    { min: 1, max: 10_000 },
    { unit: 'levels', meaning: 'maximum nesting of a body' },
  ),
  jsonKeys: wholeNumber('JSON_KEYS', DEFAULT_SUBMISSION_LIMITS.maxKeys, AT_LEAST_ONE, {
    unit: 'keys',
    meaning: 'maximum keys of a body',
  }),
  jsonLists: wholeNumber('JSON_LISTS', DEFAULT_SUBMISSION_LIMITS.maxLists, AT_LEAST_ONE, {
    unit: 'lists and objects',
    meaning: 'maximum lists and objects of a body',
  }),
  numberDigits: wholeNumber('NUMBER_DIGITS', DEFAULT_SUBMISSION_LIMITS.maxNumberLength, AT_LEAST_ONE, {
    unit: 'characters',
    meaning: 'maximum length of a number in a body',
  }),
  credentialBytes: wholeNumber('CREDENTIAL_BYTES', DEFAULT_CREDENTIAL_BYTES, AT_LEAST_ONE, {
    unit: 'bytes',
    meaning: 'maximum credential in extra_data',
  }),
});

/** What an operator set, in the terms of the graph rules. */
export function validationLimits(values: SettingValues<typeof VALIDATION_SETTINGS>): ValidationLimits {
  return new ValidationLimits({
    graph: {
      maxNodes: values.graphNodes,
      maxLinks: values.graphLinks,
      maxInputsPerNode: values.nodeInputs,
      maxNodeIdBytes: values.nodeIdBytes,
      maxStringBytes: values.stringBytes,
      maxAssetReferences: values.assetReferences,
    },
    submission: {
      maxDepth: values.jsonDepth,
      maxKeys: values.jsonKeys,
      maxLists: values.jsonLists,
      maxNumberLength: values.numberDigits,
    },
    maxCredentialBytes: values.credentialBytes,
  });
}

/** The limits on submissions (decisions, Limits on graphs). */
export class ValidationLimits {
  readonly graph: GraphLimits;
  readonly submission: ScanLimits;
  /** UTF-8 bytes of one credential in `extra_data`. */
  readonly maxCredentialBytes: number;

  constructor(limits: GivenLimits = {}) {
    this.graph = { ...DEFAULT_GRAPH_LIMITS, ...limits.graph };
    this.submission = { ...DEFAULT_SUBMISSION_LIMITS, ...limits.submission };
    this.maxCredentialBytes = limits.maxCredentialBytes ?? DEFAULT_CREDENTIAL_BYTES;
  }
}

interface GivenLimits {
  readonly graph?: Partial<GraphLimits>;
  readonly submission?: Partial<ScanLimits>;
  readonly maxCredentialBytes?: number;
}
