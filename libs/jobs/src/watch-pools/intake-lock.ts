/** Class of the advisory locks on the intakes of deployments: submissions share them, a change of an intake holds one alone. */
const INTAKE_LOCKS = 7_236_204;

/** The arguments of a lock function for the intake of a deployment, whose id is an SQL expression. */
export function intakeLockSql(deploymentId: string): string {
  return `${INTAKE_LOCKS}, uuid_hash(${deploymentId})`;
}
