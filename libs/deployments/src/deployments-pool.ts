/** Connections of the role of deployments. */
export const DEPLOYMENTS_POOL = Symbol('DeploymentsPool');
