export { ValidationModule } from './validation.module.js';
export { ValidationLimits } from './settings.js';
export { CatalogueHolder } from './hold-catalogue/catalogue-holder.js';
export type { CatalogueReplacement } from './hold-catalogue/catalogue-holder.js';
export { ValidateSubmissionHandler } from './validate-submission/validate-submission.handler.js';
export { validateFile } from './validate-file/validate-file.js';
export type { FileVerdict } from './validate-file/validate-file.js';
export { describedProblems } from './validate-submission/described-problems.js';
export type { DescribedProblem } from './validate-submission/described-problems.js';
