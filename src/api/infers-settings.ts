interface MayInferSettings {
  readonly infer_settings?: boolean | null | undefined
}

/** Returns true if a create asks for the account's defaults, beside its settings or among them. */
export const infersSettings = (
  body: MayInferSettings & { readonly settings?: MayInferSettings | null | undefined },
): boolean => body.infer_settings === true || body.settings?.infer_settings === true
