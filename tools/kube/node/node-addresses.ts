// Names and addresses of the real node. Pods reach the machine at NODE_ADDRESS. It is added to the loopback device, so no
// other machine reaches it.

export const NODE_NAME = 'heddle-node';
export const NODE_ADDRESS = '10.197.0.1';
/** Of the pods: the first block that the controller manager gives to a node. */
export const POD_SUBNET = '10.199.0.0/24';
export const CLUSTER_DOMAIN = 'cluster.local';
/** Every process of a pod is in this control group, and no other process. */
export const CONTROL_GROUP = 'heddle-kube';
