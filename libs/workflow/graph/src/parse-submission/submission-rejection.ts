/** Problems of the body of a submission, its workflow, or a workflow file; the error catalogue has a text for each. */
export type FormProblem =
  | { readonly case: 'empty_text' | 'invalid_utf8' | 'byte_order_mark'; readonly source: FormSource }
  | { readonly case: 'invalid_json'; readonly source: FormSource; readonly line: number; readonly column: number }
  | { readonly case: 'not_an_object'; readonly source: FormSource; readonly found: string }
  | { readonly case: 'duplicate_key'; readonly path: string }
  | { readonly case: 'too_deep' | 'too_many_keys' | 'too_many_lists' | 'number_too_long'; readonly limit: number }
  | { readonly case: 'workflow_missing' | 'bare_graph' | 'prompt_body' | 'editor_body' | 'workflow_not_object' };

/** The body of a submission, or a workflow file. */
export type FormSource = 'body' | 'file';

/** Why the form of a submission is refused (api-v2, Errors; decisions, Body errors). */
export type SubmissionRejection = { readonly ok: false } & (
  { readonly kind: 'form'; readonly problem: FormProblem } | { readonly kind: 'editor_format' }
);

export function badForm(problem: FormProblem): SubmissionRejection {
  return { ok: false, kind: 'form', problem };
}

export const EDITOR_FORMAT: SubmissionRejection = { ok: false, kind: 'editor_format' };
