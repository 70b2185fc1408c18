/** The codes with which the form of a submission is refused (api-v2, Errors; decisions, Body errors). */
export type SubmissionErrorCode = 'invalid_workflow' | 'workflow_format_ui' | 'metadata_invalid';

export interface SubmissionRejection {
  readonly ok: false;
  readonly code: SubmissionErrorCode;
  /** For people; never holds a value of the body. */
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}
