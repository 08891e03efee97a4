interface MayInferSettings {
  readonly infer_settings?: boolean | null | undefined
}

/** Returns true if a create sets `infer_settings`, either next to its settings or inside them. */
export const infersSettings = (
  body: MayInferSettings & { readonly settings?: MayInferSettings | null | undefined },
): boolean => body.infer_settings === true || body.settings?.infer_settings === true
