import type { EnvironmentSpec, PinnedEnvironment } from '@heddle/contracts-messages';
import type {
  EnvironmentSpec as SpecMessage,
  PinnedEnvironment as PinnedMessage,
} from '../generated/heddle/deployments/v1/deployments.js';
import { EmptyAnswerError } from '../encode-values/call-answers.js';

export function specMessage(spec: EnvironmentSpec): SpecMessage {
  const { image, engine, engineVersion, packages, catalogue } = spec;
  return {
    image: image ?? undefined,
    engine,
    engineVersion: engineVersion ?? undefined,
    packages: [...packages],
    catalogueHash: typeof catalogue === 'string' ? catalogue : spec.catalogueHash,
    ...(catalogue instanceof Uint8Array ? { catalogue: Buffer.from(catalogue) } : {}),
  };
}

export function specOf(message: SpecMessage): EnvironmentSpec {
  const { image, engine, engineVersion, packages, catalogue, catalogueHash } = message;
  return {
    image: image ?? null,
    engine,
    engineVersion: engineVersion ?? null,
    packages,
    catalogue: catalogue ?? catalogueHash ?? null,
    ...(catalogue === undefined || catalogueHash === undefined ? {} : { catalogueHash }),
  };
}

export function pinnedMessage(pinned: PinnedEnvironment): PinnedMessage {
  const { revision, image, engine, engineVersion, packages, catalogueHash } = pinned;
  return {
    revision,
    image: image ?? undefined,
    engine,
    engineVersion: engineVersion ?? undefined,
    packages: [...packages],
    catalogueHash: catalogueHash ?? undefined,
  };
}

export function pinnedOf(message: PinnedMessage | undefined): PinnedEnvironment {
  if (message === undefined) throw new EmptyAnswerError();
  const { revision, image, engine, engineVersion, packages, catalogueHash } = message;
  return {
    revision,
    image: image ?? null,
    engine,
    engineVersion: engineVersion ?? null,
    packages,
    catalogueHash: catalogueHash ?? null,
  };
}
