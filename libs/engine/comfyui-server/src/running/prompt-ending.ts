/** How a prompt ended. */
export type PromptEnding =
  | { readonly kind: 'succeeded' }
  /** `nodeId`: where it stopped; default: the last reported node. */
  | { readonly kind: 'interrupted'; readonly nodeId?: string | null }
  | {
      readonly kind: 'failed';
      readonly nodeId: string | null;
      /** Python's exception name, e.g. `IndexError`. */
      readonly exceptionType: string;
      /** Ends with a line break. */
      readonly message: string;
      readonly traceback: readonly string[];
      readonly currentInputs?: Readonly<Record<string, readonly unknown[]>>;
    };
