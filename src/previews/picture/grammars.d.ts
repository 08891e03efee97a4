type Grammar = (hljs: object) => object

export const hljs: {
  readonly getLanguage: (name: string) => object | undefined
  readonly registerLanguage: (name: string, grammar: Grammar) => void
  readonly highlight: (
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ) => { readonly value: string }
}

/** The grammars by the names that they have in highlight.js. */
export const grammars: Readonly<Record<string, Grammar>>
