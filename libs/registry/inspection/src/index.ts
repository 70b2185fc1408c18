export type { PackageFiles } from './package-files.js';
