import type { VersionName } from '@heddle/contracts-messages';
import type { PipeTransform } from '@nestjs/common';

interface VersionPath {
  readonly node: string;
  readonly version: string;
}

/** The version that a path names. */
export class VersionNamePipe implements PipeTransform<VersionPath, VersionName> {
  transform({ node: nodeId, version }: VersionPath): VersionName {
    return { nodeId, version };
  }
}
