import { BLOB_HASH, BLOB_HASH_RULE } from '@heddle/contracts-messages';
import type { GivenOptions, DeploymentProvider, EnvironmentSpec } from '@heddle/contracts-messages';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  ValidateNested,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { isJsonObject } from '@heddle/platform-http';
import { mustBe } from '../read-request/must-be.js';
import type { Fields } from '../read-request/admin-body.js';

const number = { message: 'must be a number' };
const text = { message: 'must be a string' };
const PROVIDERS: readonly string[] = ['local', 'external'];
const PACKAGE_FIELDS: readonly string[] = ['id', 'version'];

const OptionalNumber = (): PropertyDecorator => applyDecorators(IsOptional(), IsNumber({}, number));
const OptionalFlag = (): PropertyDecorator =>
  applyDecorators(IsOptional(), IsBoolean({ message: 'must be true or false' }));

/** Options of a deployment; the rules of their values belong to the deployments context. */
export class OptionsBody {
  @OptionalNumber()
  slots: unknown;

  @OptionalFlag()
  public_demo: unknown;

  @OptionalNumber()
  start_delay_s: unknown;

  @OptionalNumber()
  max_runtime_s: unknown;

  @OptionalNumber()
  job_retention_s: unknown;

  @OptionalNumber()
  queue_depth: unknown;

  constructor(fields: Fields) {
    Object.assign(this, optionFields(fields));
  }

  toOptions(): GivenOptions {
    return givenOptions(this);
  }
}

/** A pinned environment; `catalogue` is the /object_info document itself. */
export class EnvironmentBody {
  @IsOptional()
  @IsString(text)
  image: unknown;

  @IsOptional()
  @IsString(text)
  engine: unknown;

  @IsOptional()
  @IsString(text)
  engine_version: unknown;

  @IsOptional()
  @IsIn([true], { message: 'must be a list of {"id", "version"}' })
  packages: unknown;

  @IsOptional()
  @IsObject({ message: 'must be an object' })
  catalogue: unknown;

  /** An environment that was shown can be pinned again. The deployment numbers its revisions by itself. */
  @IsOptional()
  @IsInt({ message: 'must be a whole number' })
  revision: unknown;

  /** Of a stored document; beside `catalogue`, the hash that it must have. */
  @IsOptional()
  @Matches(BLOB_HASH, { message: BLOB_HASH_RULE })
  catalogue_hash: unknown;

  readonly #packages: EnvironmentSpec['packages'];

  constructor(fields: Fields) {
    this.revision = fields['revision'];
    this.catalogue_hash = fields['catalogue_hash'];
    this.image = fields['image'];
    this.engine = fields['engine'];
    this.engine_version = fields['engine_version'];
    this.catalogue = fields['catalogue'];
    const packages = packagesIn(fields['packages'] ?? []);
    this.packages = packages !== null;
    this.#packages = packages ?? [];
  }

  toEnvironment(): EnvironmentSpec {
    const hash = (this.catalogue_hash ?? null) as string | null;
    return {
      image: (this.image ?? null) as string | null,
      engine: (this.engine ?? 'builtin') as string,
      engineVersion: (this.engine_version ?? null) as string | null,
      packages: this.#packages,
      catalogue: this.catalogue ? Buffer.from(JSON.stringify(this.catalogue)) : hash,
      ...(this.catalogue && hash !== null ? { catalogueHash: hash } : {}),
    };
  }
}

/** A deployment; its options are fields of the body itself. */
export class DeploymentBody {
  @OptionalNumber()
  slots: unknown;

  @OptionalFlag()
  public_demo: unknown;

  @OptionalNumber()
  start_delay_s: unknown;

  @OptionalNumber()
  max_runtime_s: unknown;

  @OptionalNumber()
  job_retention_s: unknown;

  @OptionalNumber()
  queue_depth: unknown;

  @IsString(text)
  label: unknown;

  stage: unknown;

  @IsOptional()
  @IsString(text)
  account: unknown;

  @IsOptional()
  @IsIn(PROVIDERS, { message: ({ value }) => mustBe(PROVIDERS, value) })
  provider: unknown;

  @IsObject({ message: 'must be an object' })
  @ValidateNested()
  readonly environment: EnvironmentBody | null;

  constructor(fields: Fields) {
    Object.assign(this, optionFields(fields));
    this.label = fields['label'];
    this.stage = fields['stage'] ?? 'production';
    this.account = fields['account'];
    this.provider = fields['provider'];
    const environment = fields['environment'] ?? {};
    this.environment = isJsonObject(environment) ? new EnvironmentBody(environment) : null;
  }

  toEnvironment(): EnvironmentSpec {
    return (this.environment ?? new EnvironmentBody({})).toEnvironment();
  }

  toProvider(): DeploymentProvider | null {
    return (this.provider ?? null) as DeploymentProvider | null;
  }

  toOptions(): GivenOptions {
    return givenOptions(this);
  }
}

function optionFields({
  slots,
  public_demo,
  start_delay_s,
  max_runtime_s,
  job_retention_s,
  queue_depth,
}: Fields): Fields {
  return { slots, public_demo, start_delay_s, max_runtime_s, job_retention_s, queue_depth };
}

/** What is given; null takes the setting again. */
function givenOptions(body: OptionsBody | DeploymentBody): GivenOptions {
  const limits = given({
    maxRuntimeS: body.max_runtime_s,
    jobRetentionS: body.job_retention_s,
    queueDepth: body.queue_depth,
  });
  const options = { slots: body.slots, publicDemo: body.public_demo, startDelayS: body.start_delay_s };
  return { ...given(options), ...(Object.keys(limits).length === 0 ? {} : { limits }) } as GivenOptions;
}

function given(values: Fields): Fields {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function packagesIn(list: unknown): EnvironmentSpec['packages'] | null {
  if (!Array.isArray(list)) return null;
  const packages = list.map((item: unknown) => {
    const fields = isJsonObject(item) ? item : {};
    const { id, version } = fields;
    const isKnown = Object.keys(fields).every((name) => PACKAGE_FIELDS.includes(name));
    const isWhole = typeof id === 'string' && typeof version === 'string' && isKnown;
    return isWhole ? { id, version } : null;
  });
  return packages.includes(null) ? null : (packages as EnvironmentSpec['packages']);
}
