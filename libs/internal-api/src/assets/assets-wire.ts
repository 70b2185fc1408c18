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
import { rejectionMessage, rejectionOf } from '../encode-values/rejections.js';
import type {
  Asset,
  DeleteResponse,
  GetResponse,
  HeldInput,
  HoldResponse,
  MintFromHashRequest,
  MintFromHashResponse,
} from '../generated/heddle/assets/v1/assets.js';

const NOTHING = 'the assets service answered with neither a value nor a rejection';

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

export function assetMessage({ tags, expiresAt, jobId, ...asset }: AssetView): Asset {
  return { ...asset, tags: [...tags], expiresAt: expiresAt ?? undefined, jobId: jobId ?? undefined };
}

export function assetOf({ id, accountId, expiresAt, jobId, ...asset }: Asset): AssetView {
  return {
    ...asset,
    id: id as AssetId,
    accountId: accountId as AccountId,
    expiresAt: expiresAt ?? null,
    jobId: (jobId as JobId | undefined) ?? null,
  };
}

export function assetAnswerMessage(answer: Answer<AssetView>): GetResponse {
  if (!answer.ok) return { result: { $case: 'rejection', value: rejectionMessage(answer.rejection) } };
  return { result: { $case: 'asset', value: assetMessage(answer.value) } };
}

export function assetAnswerOf({ result }: GetResponse): Answer<AssetView> {
  if (result === undefined) throw new Error(NOTHING);
  return result.$case === 'rejection' ? rejected(rejectionOf(result.value)) : accepted(assetOf(result.value));
}

export function mintedMessage(answer: Answer<MintedAsset>): MintFromHashResponse {
  if (!answer.ok) return { result: { $case: 'rejection', value: rejectionMessage(answer.rejection) } };
  const { asset, created } = answer.value;
  return { result: { $case: 'minted', value: { asset: assetMessage(asset), created } } };
}

export function mintedOf({ result }: MintFromHashResponse): Answer<MintedAsset> {
  if (result?.$case === 'rejection') return rejected(rejectionOf(result.value));
  if (result?.value.asset === undefined) throw new Error(NOTHING);
  return accepted({ asset: assetOf(result.value.asset), created: result.value.created });
}

export function deletedMessage(answer: Answer<null>): DeleteResponse {
  return { rejection: answer.ok ? undefined : rejectionMessage(answer.rejection) };
}

export function deletedOf({ rejection }: DeleteResponse): Answer<null> {
  return rejection === undefined ? accepted(null) : rejected(rejectionOf(rejection));
}

export function heldMessage(answer: Answer<readonly JobInput[]>): HoldResponse {
  if (!answer.ok) return { result: { $case: 'rejection', value: rejectionMessage(answer.rejection) } };
  const inputs = answer.value.map(({ name, ...input }): HeldInput => ({ ...input, name: name ?? undefined }));
  return { result: { $case: 'held', value: { inputs } } };
}

export function heldOf({ result }: HoldResponse): Answer<readonly JobInput[]> {
  if (result === undefined) throw new Error(NOTHING);
  if (result.$case === 'rejection') return rejected(rejectionOf(result.value));
  const inputs = result.value.inputs.map(({ assetId, name, ...input }): JobInput => {
    return { ...input, assetId: assetId as AssetId, name: name ?? null };
  });
  return accepted(inputs);
}
