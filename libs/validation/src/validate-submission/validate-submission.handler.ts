import { Injectable } from '@nestjs/common';
import { isUuid, refuse } from '@heddle/contracts-messages';
import type { AssetId, PinnedCatalogue, Rejection, SubmissionVerdict } from '@heddle/contracts-messages';
import { explainProblem, explanationOf, parseSubmission, validateWorkflow } from '@heddle/workflow-graph';
import { PinnedCatalogues } from '../hold-catalogue/pinned-catalogues.js';
import { readFields } from '../read-fields/read-fields.js';
import { ValidationLimits } from '../settings.js';
import { formRejection, impossibleAssets, workflowRejection } from './reject-workflow.js';
import type { Explain } from './described-problems.js';
import { NamePackages, packageSentence, withPackages } from './name-packages.js';
import { unknownFileProblems } from './unknown-file-problems.js';

/** Validates the body of POST /api/v2/jobs (api-v2, POST /jobs rules 1 to 3). */
@Injectable()
export class ValidateSubmissionHandler {
  constructor(
    private readonly catalogues: PinnedCatalogues,
    private readonly limits: ValidationLimits,
    private readonly packages: NamePackages,
  ) {}

  /** `pinned`: null for the engine of this service. */
  async handle(body: Uint8Array, pinned: PinnedCatalogue | null): Promise<SubmissionVerdict> {
    const parsed = parseSubmission(body, this.limits.submission);
    if (!parsed.ok) return malformed(formRejection(parsed));
    const { workflow } = parsed;
    const fields = await readFields(parsed.fields, this.limits.maxCredentialBytes);
    if (!fields.ok && fields.isReserved) return malformed(fields.rejection);
    if (!workflow.ok) return malformed(formRejection(workflow));
    if (!fields.ok) return malformed(fields.rejection);
    const catalogue = await this.catalogues.of(pinned);
    if (catalogue === null) return noCatalogue(this.catalogues.missing(pinned));
    const report = validateWorkflow(workflow.graph, catalogue, { ...workflow, limits: this.limits.graph });
    const missing = impossibleAssets(report.assetReferences);
    if (missing !== null) return malformed(missing);
    const assetIds = [...new Set(report.assetReferences.flatMap(({ assetId }) => toAssetId(assetId)))];
    const names = [...new Set(report.namedFiles.map(({ name }) => name))];
    const packages = await this.packages.of(workflow.graph, report.nodeErrors);
    const explain: Explain = (id, found) => {
      const sentence = explainProblem(workflow.graph, catalogue, id, found);
      return found.package === undefined ? sentence : `${sentence} ${packageSentence(found.package)}`;
    };
    const nodeErrors = withPackages(workflow.graph, report.nodeErrors, packages);
    const rejection = workflowRejection(workflow.graph, { ...report, nodeErrors }, explain);
    if (rejection !== null && assetIds.length === 0 && names.length === 0) return malformed(rejection);
    return {
      kind: 'checked',
      rejection,
      workflow: workflow.span,
      nodesTotal: report.nodesTotal,
      metadata: fields.metadata,
      credentials: fields.credentials,
      assetIds,
      names,
      unknownFiles:
        rejection === null
          ? unknownFileProblems(report, (id, found) => explanationOf(workflow.graph, catalogue, id, found))
          : [],
    };
  }
}

function noCatalogue(reason: string | null): SubmissionVerdict {
  return { kind: 'no_catalogue', rejection: refuse('upstream_error', { case: 'no_catalogue', reason }) };
}

/** Refused whatever the account owns. */
function malformed(rejection: Rejection): SubmissionVerdict {
  return { kind: 'malformed', rejection };
}

function toAssetId(id: string | null): AssetId[] {
  return id !== null && isUuid(id) ? [id as AssetId] : [];
}
