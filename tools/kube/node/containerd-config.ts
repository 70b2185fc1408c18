import type { NodePlaces } from './node-places.ts';

export interface ContainerdPlan {
  readonly places: NodePlaces;
  /** Path of the program. */
  readonly runc: string;
  /** Image of the process that holds the namespaces of a pod. */
  readonly pauseImage: string;
}

/** TOML. Everything is below the node's folder, so that removing the folder removes it. */
export function containerdConfig({ places, runc, pauseImage }: ContainerdPlan): string {
  const { containerd, socket, programs, network } = places;
  return `version = 3
root = "${containerd}/root"
state = "${containerd}/state"

[grpc]
  address = "${socket}"

[plugins.'io.containerd.internal.v1.opt']
  path = "${containerd}/opt"

[plugins.'io.containerd.nri.v1.nri']
  disable = true

[plugins.'io.containerd.cri.v1.images']
  snapshotter = "overlayfs"
  [plugins.'io.containerd.cri.v1.images'.pinned_images]
    sandbox = "${pauseImage}"

[plugins.'io.containerd.cri.v1.runtime']
  # Without CAP_SYS_RESOURCE runc cannot lower a score, and fails without a reason.
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true
  enable_cdi = false
  [plugins.'io.containerd.cri.v1.runtime'.cni]
    bin_dirs = ["${programs}"]
    conf_dir = "${network}"
  [plugins.'io.containerd.cri.v1.runtime'.containerd]
    default_runtime_name = "runc"
    [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      runtime_path = "${programs}/containerd-shim-runc-v2"
      [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
        BinaryName = "${runc}"
        Root = "${containerd}/runc"
        SystemdCgroup = false
`;
}
