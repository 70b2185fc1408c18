import type { NodePackage, PackageClasses } from '@heddle/contracts-messages';
import type {
  PackageClasses as ClassesMessage,
  PackageVersion as VersionMessage,
} from '../generated/heddle/registry/v1/node_packages.js';

/** Without fields that only the caller's own objects have. */
export function versionMessage({ nodeId, version }: NodePackage): VersionMessage {
  return { nodeId, version };
}

export function classesMessage({ classes, isWhole }: PackageClasses): ClassesMessage {
  return { classes: classes.map(({ unknown, ...one }) => ({ ...one, unknown: [...unknown] })), isWhole };
}
