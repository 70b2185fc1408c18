import { Injectable } from '@nestjs/common';
import { isUuid, refuse, type AssetId, type Rejection } from '@heddle/contracts-messages';
import { explainProblem, parseSubmission, validateWorkflow } from '@heddle/workflow-graph';
import { CatalogueHolder } from '../hold-catalogue/catalogue-holder.js';
import { ValidationLimits } from '../settings.js';
import { formRejection, impossibleAssets, workflowRejection } from './reject-workflow.js';
import type { Explain } from './told-problems.js';
import type { CheckedSubmission, RejectedSubmission, JudgedSubmission } from './submission-verdict.js';

/** Judges the body of POST /api/v2/jobs, synchronously and without asking anybody (api-v2, POST /jobs rules 1 to 3). */
@Injectable()
export class ValidateSubmissionHandler {
  constructor(
    private readonly catalogue: CatalogueHolder,
    private readonly limits: ValidationLimits,
  ) {}

  handle(body: Uint8Array): JudgedSubmission {
    const catalogue = this.catalogue.current;
    if (catalogue === null) {
      return rejected(refuse('upstream_error', { case: 'no_catalogue' }));
    }
    const parsed = parseSubmission(body, this.limits.submission);
    if (!parsed.ok) return rejected(formRejection(parsed));
    const { graph } = this.limits;
    const report = validateWorkflow(parsed.workflow, catalogue, { ...parsed, limits: graph });
    const missing = impossibleAssets(report.assetReferences);
    if (missing !== null) return rejected(missing);
    const assetIds = [...new Set(report.assetReferences.flatMap(({ assetId }) => toAssetId(assetId)))];
    const fileNames = [...new Set(report.namedFiles.map(({ name }) => name))];
    const explain: Explain = (id, found) => explainProblem(parsed.workflow, catalogue, id, found);
    const problem = workflowRejection(report, () => true, explain);
    if (problem !== null && assetIds.length === 0 && fileNames.length === 0) return rejected(problem);
    return {
      outcome: 'checked',
      workflow: body.subarray(parsed.workflowSpan.start, parsed.workflowSpan.end),
      metadata: parsed.metadata,
      credentials: parsed.credentials,
      assetIds,
      fileNames,
      nodesTotal: report.nodesTotal,
      hasProblems: problem !== null,
      report,
      explain,
    };
  }
}

/** The last word on a checked submission: null where it is good, given the file names that are assets of the account. */
export function finishVerdict(
  checked: CheckedSubmission,
  assetNames: Pick<ReadonlySet<string>, 'has'>,
): Rejection | null {
  return workflowRejection(checked.report, (name) => assetNames.has(name), checked.explain);
}

function rejected(rejection: Rejection): RejectedSubmission {
  return { outcome: 'rejected', rejection };
}

function toAssetId(id: string | null): AssetId[] {
  return id !== null && isUuid(id) ? [id as AssetId] : [];
}
