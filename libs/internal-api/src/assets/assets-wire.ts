import { accepted, rejected } from '@heddle/contracts-messages';
import type {
  AccountId,
  Answer,
  AssetId,
  AssetView,
  JobId,
  JobInput,
  MintedAsset,
  MintRequest,
} from '@heddle/contracts-messages';
import { EmptyAnswerError } from '../encode-values/call-answers.js';
import { rejectionMessage, rejectionOf } from '../encode-values/rejections.js';
import type {
  Asset,
  DeleteResponse,
  HeldInputs,
  MintedAsset as MintedMessage,
  MintFromHashRequest,
} from '../generated/heddle/assets/v1/assets.js';

/** Encodes texts of a client as JSON: UTF-8 cannot hold a lone surrogate. */
export function jsonTexts(texts: readonly string[]): string[] {
  return texts.map((text) => JSON.stringify(text));
}

export type MintMessage = Omit<MintFromHashRequest, 'principal'>;

export function mintMessage({ hash, filePath, tags, expiresIn }: MintRequest): MintMessage {
  return {
    hash,
    filePathJson: filePath === null ? undefined : JSON.stringify(filePath),
    tagsJson: jsonTexts(tags),
    expiresIn: expiresIn ?? undefined,
  };
}

export function assetMessage({ tags, expiresAt, jobId, signedUrl, ...asset }: AssetView): Asset {
  return {
    ...asset,
    tags: [...tags],
    expiresAt: expiresAt ?? undefined,
    jobId: jobId ?? undefined,
    signedUrl: signedUrl ?? undefined,
  };
}

export function assetOf({ id, accountId, expiresAt, jobId, signedUrl, ...asset }: Asset): AssetView {
  return {
    ...asset,
    id: id as AssetId,
    accountId: accountId as AccountId,
    expiresAt: expiresAt ?? null,
    jobId: (jobId as JobId | undefined) ?? null,
    signedUrl: signedUrl ?? null,
  };
}

export function mintedMessage({ asset, created }: MintedAsset): MintedMessage {
  return { asset: assetMessage(asset), created };
}

export function mintedOf({ asset, created }: MintedMessage): MintedAsset {
  if (asset === undefined) throw new EmptyAnswerError();
  return { asset: assetOf(asset), created };
}

export function deletedMessage(answer: Answer<null>): DeleteResponse {
  return { rejection: answer.ok ? undefined : rejectionMessage(answer.rejection) };
}

export function deletedOf({ rejection }: DeleteResponse): Answer<null> {
  return rejection === undefined ? accepted(null) : rejected(rejectionOf(rejection));
}

export function heldMessage(inputs: readonly JobInput[]): HeldInputs {
  return { inputs: inputs.map(({ name, ...input }) => ({ ...input, name: name ?? undefined })) };
}

export function heldOf({ inputs }: HeldInputs): readonly JobInput[] {
  return inputs.map(({ assetId, name, ...input }) => {
    return { ...input, assetId: assetId as AssetId, name: name ?? null };
  });
}
