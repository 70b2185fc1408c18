import type { Finding, WfNode } from '@heddle/contracts-registry';
export type { PackageFiles } from './package-files.js';
export interface Extraction {
  readonly status: 'success' | 'failed';
  readonly reason: string;
  readonly nodes: readonly WfNode[];
}
export interface Inspection {
  readonly findings: readonly Finding[];
  readonly extraction: Extraction;
}
export async function inspectPackage(_path: string): Promise<Inspection> {
  return {
    findings: [],
    extraction: { status: 'failed', reason: 'The classes of packages are not read yet.', nodes: [] },
  };
}
export async function judgeArchive(
  _path: string,
): Promise<{ accepted: true; format: 'zip' | 'tar.gz' } | { accepted: false; problem: string }> {
  return { accepted: true, format: 'zip' };
}
