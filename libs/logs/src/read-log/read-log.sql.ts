export interface LogRow {
  readonly content: Buffer;
  readonly truncated: boolean;
  readonly complete: boolean;
  readonly captured_at: Date;
}

/** Parameters: job, account, deployment. */
export const READ_LOG = {
  name: 'logs.read',
  text: `select content, truncated, complete, captured_at from logs.execution_log
         where job_id = $1 and account_id = $2 and deployment_id = $3 and expires_at > heddle.clock_now()`,
};
