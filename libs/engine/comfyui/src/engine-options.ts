/** Periods and deadlines of the driver, in milliseconds. */
export interface EngineTiming {
  /** One call, from its beginning to the last byte of the answer. An engine may pause for many seconds. */
  readonly callMs: number;
  /** A file transfer may be this long without a byte. */
  readonly transferIdleMs: number;
  /** Between two looks at the engine's queue while the socket is open, and while it is not. */
  readonly pollMs: number;
  readonly blindPollMs: number;
  /** A prompt that is neither in the queue nor in the history for this long, at two looks or more, is lost. */
  readonly vanishedMs: number;
  /** An engine that refuses connections, or that takes them and answers nothing, for this long has lost its prompts. */
  readonly unreachableMs: number;
  readonly silentMs: number;
  /** How long a cancelled prompt may take to stop; then the run ends without the engine's word. */
  readonly cancelMs: number;
  /** Between two pings on the socket; twice this without any sign of life ends the connection. */
  readonly pingMs: number;
  /** Longest pause between two attempts to connect. */
  readonly reconnectMs: number;
  /** Between two looks at the engine's node classes. */
  readonly watchMs: number;
}

/** What the driver holds in memory at most. */
export interface EngineLimits {
  /** Bytes of one JSON answer. */
  readonly answerBytes: number;
  /** Bytes of one message on the socket. */
  readonly messageBytes: number;
  /** Bytes of text values and of pictures sent over the socket that wait to be taken, per run. */
  readonly waitingBytes: number;
  /** Outputs of one run that the driver keeps in mind. */
  readonly outputs: number;
}

/** The engine's own input folder, where it lies on this machine. */
export interface InputFolderOptions {
  /** Absolute path. Files are put there instead of being sent. */
  readonly path: string;
  /** Files that no run has used for this long are removed, in milliseconds. */
  readonly keepMs: number;
}

export interface ComfyUiOptions {
  /** Address of the engine, e.g. `http://127.0.0.1:8188`. */
  readonly url: string;
  readonly timing?: Partial<EngineTiming>;
  readonly limits?: Partial<EngineLimits>;
  readonly inputFolder?: InputFolderOptions;
  /** How the engine makes previews of running samplers; left out: as it was started. Older engines do not look at it. */
  readonly previewMethod?: 'none' | 'auto' | 'latent2rgb' | 'taesd';
}

const MEBIBYTE = 1024 * 1024;

export const ENGINE_TIMING: EngineTiming = {
  callMs: 30_000,
  transferIdleMs: 60_000,
  pollMs: 5_000,
  blindPollMs: 1_000,
  vanishedMs: 3_000,
  unreachableMs: 30_000,
  silentMs: 120_000,
  cancelMs: 50_000,
  pingMs: 20_000,
  reconnectMs: 2_000,
  watchMs: 60_000,
};

export const ENGINE_LIMITS: EngineLimits = {
  answerBytes: 64 * MEBIBYTE,
  messageBytes: 64 * MEBIBYTE,
  waitingBytes: 256 * MEBIBYTE,
  outputs: 10_000,
};
