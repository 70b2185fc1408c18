// An entry of its own: whoever checks a label loads no database driver.
export { labelFault } from '@heddle/deployments-domain';
