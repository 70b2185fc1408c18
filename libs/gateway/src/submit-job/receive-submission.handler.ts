import { Inject, Injectable } from '@nestjs/common';
import {
  ASSETS_PORT,
  JOBS_PORT,
  newUuid,
  refuse,
  unknownFilesRejection,
  VALIDATION_PORT,
} from '@heddle/contracts-messages';
import type {
  Answer,
  AssetsPort,
  CheckedSubmission,
  JobId,
  JobInput,
  JobsPort,
  JobView,
  Principal,
  Rejection,
  ValidationPort,
} from '@heddle/contracts-messages';
import { nearestAssets } from './nearest-assets.js';
import { RefusedKeys } from './refused-keys.js';
import { SubmissionGate } from './submission-gate.js';

export interface SubmitJob {
  readonly principal: Principal;
  readonly idempotencyKey: string | null;
  readonly body: Uint8Array;
  readonly requestId: string;
  readonly traceparent: string | null;
}

const KEY_REUSE = refuse('idempotency_key_reuse', { case: 'submission' });

/** An answer, or the refusal of a revision that no longer accepts jobs. */
type Submitted =
  | (Answer<JobView> & { readonly why?: never })
  | { readonly ok: false; readonly rejection: Rejection; readonly why: 'revision_closed'; readonly revision: number };

/** Maximum validations of one submission. It is validated again if its environment changed meanwhile, then refused. */
const MAX_CHECKS = 3;

/**
 * POST /jobs in its order of checks: form, missing assets, validation, deployment status, then queue depth inside the
 * submission itself.
 */
@Injectable()
export class ReceiveSubmissionHandler {
  readonly #refusedKeys: RefusedKeys;

  constructor(
    @Inject(JOBS_PORT) private readonly jobs: JobsPort,
    @Inject(ASSETS_PORT) private readonly assets: AssetsPort,
    @Inject(VALIDATION_PORT) private readonly validation: ValidationPort,
    private readonly gate: SubmissionGate,
  ) {
    this.#refusedKeys = new RefusedKeys(jobs);
  }

  async handle(command: SubmitJob): Promise<Answer<JobView>> {
    const { principal, idempotencyKey } = command;
    if (idempotencyKey !== null && (await this.#refusedKeys.isClaimed(principal, idempotencyKey))) {
      return { ok: false, rejection: KEY_REUSE };
    }
    for (let checks = 1; ; checks += 1) {
      const answer = await this.#submit(command);
      if (answer.why !== 'revision_closed') return answer;
      // The environment changed between the look at it and the commit: the workflow is validated against the new one.
      if (answer.revision === this.gate.environment(principal).revision || checks === MAX_CHECKS) {
        return this.#refuse(command, this.gate.refusal(principal) ?? answer.rejection);
      }
    }
  }

  async #submit(command: SubmitJob): Promise<Submitted> {
    const { principal, idempotencyKey } = command;
    const { revision, catalogue } = this.gate.environment(principal);
    const verdict = await this.validation.validate(command.body, catalogue);
    if (verdict.kind === 'malformed') return this.#refuse(command, verdict.rejection);
    // A deployment that starts may not know its engine's node classes yet: then its status says when to come back.
    if (verdict.kind === 'no_catalogue') {
      return this.#refuse(command, this.gate.refusal(principal) ?? verdict.rejection);
    }
    const jobId = newUuid() as JobId;
    const inputs = await this.#resolve(command.principal, jobId, verdict);
    if (!inputs.ok) return this.#refuse(command, inputs.rejection);
    const notNow = this.gate.refusal(command.principal);
    if (notNow !== null) {
      if (inputs.value.length > 0) await this.#release(jobId);
      return this.#refuse(command, notNow);
    }
    const submitted = await this.jobs.submit(command.principal, {
      jobId,
      idempotencyKey: command.idempotencyKey,
      workflow: command.body.subarray(verdict.workflow.start, verdict.workflow.end),
      nodesTotal: verdict.nodesTotal,
      metadata: verdict.metadata,
      inputs: inputs.value,
      credentials: verdict.credentials,
      revision,
      requestId: command.requestId,
      traceparent: command.traceparent,
    });
    if (submitted.ok) return submitted;
    const { why, rejection } = submitted;
    if (why === 'key_claimed' && idempotencyKey !== null) this.#refusedKeys.remember(principal, idempotencyKey);
    // After an unknown outcome the holds stay, because the job may exist. Silence releases them.
    if (why !== 'unknown' && inputs.value.length > 0) await this.#release(jobId);
    return why === 'revision_closed' ? { ok: false, rejection, why, revision } : { ok: false, rejection };
  }

  /** The held inputs, or the refusal; missing assets are reported before the graph's own problems. */
  async #resolve(principal: Principal, jobId: JobId, verdict: CheckedSubmission): Promise<Answer<readonly JobInput[]>> {
    const { assetIds, names, rejection, unknownFiles } = verdict;
    if (assetIds.length === 0 && names.length === 0) {
      return rejection === null ? { ok: true, value: [] } : { ok: false, rejection };
    }
    if (rejection !== null) {
      const missing = await this.assets.missing(principal, assetIds);
      return { ok: false, rejection: missing.length > 0 ? missingAsset(missing) : rejection };
    }
    const held = await this.assets.hold(principal, jobId, { ids: assetIds, names });
    if (!held.ok) return held;
    const answered = new Set(held.value.map(({ name }) => name));
    const unknown = unknownFiles.filter(({ name }) => !answered.has(name));
    if (unknown.length === 0) return held;
    await this.#release(jobId);
    const nearest = await nearestAssets((name) => this.assets.nearNames(principal, name), unknown);
    return { ok: false, rejection: unknownFilesRejection(unknown, nearest) };
  }

  /** Holds that cannot be released now end after ten minutes of silence: no reason to hide why the job was refused. */
  async #release(jobId: JobId): Promise<void> {
    await this.assets.releaseHolds(jobId).catch(() => undefined);
  }

  /** Every refused submission checks its key first (decisions, Refusals with a used key). */
  async #refuse({ principal, idempotencyKey }: SubmitJob, rejection: Rejection): Promise<Answer<never>> {
    if (idempotencyKey !== null && (await this.jobs.isKeyClaimed(principal, idempotencyKey))) {
      this.#refusedKeys.remember(principal, idempotencyKey);
      return { ok: false, rejection: KEY_REUSE };
    }
    return { ok: false, rejection };
  }
}

function missingAsset(ids: readonly string[]): Rejection {
  return refuse('missing_asset', { case: 'unknown', ids }, { details: { missing_ids: ids } });
}
