import {
  DEFAULT_GRAPH_LIMITS,
  DEFAULT_SUBMISSION_LIMITS,
  type GraphLimits,
  type SubmissionLimits,
} from '@heddle/workflow-graph';

/** The limits on submissions; the composition may lower each (decisions, Limits on graphs). */
export class ValidationLimits {
  readonly graph: GraphLimits;
  readonly submission: SubmissionLimits;

  constructor(limits: { readonly graph?: Partial<GraphLimits>; readonly submission?: Partial<SubmissionLimits> } = {}) {
    this.graph = { ...DEFAULT_GRAPH_LIMITS, ...limits.graph };
    this.submission = { ...DEFAULT_SUBMISSION_LIMITS, ...limits.submission };
  }
}
