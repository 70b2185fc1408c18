/** Types of the patch tool for the checks and its spec: the tool itself runs before anything can be compiled. */
export function applyPatches(root?: string): string[];
export function patchProblems(root?: string): string[];
export function patchesText(root?: string): string;
export function patchedNames(root?: string): string[];
