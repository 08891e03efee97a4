import { LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language'
import type { LeafBlockParser } from '@lezer/markdown'

// The grammar of each language that has one, by the name of the language. The code editor loads one when it's needed. For
// all others, scripts/build-client.ts puts each into a file of its own, in which `await import()` doesn't wait.

export type Grammar = () => Promise<LanguageSupport>

/* @__NO_SIDE_EFFECTS__ */
function legacy<State>(load: () => Promise<StreamParser<State>>): Grammar {
  return async () => new LanguageSupport(StreamLanguage.define(await load()))
}

/** CodeMirror's marks spaces at the ends of lines as errors, and so each blank line that didn't change. */
const diffMode: StreamParser<null> = {
  token: (stream) => {
    const sign = stream.peek()
    stream.skipToEnd()
    return sign === '+' ? 'inserted' : sign === '-' ? 'deleted' : sign === '@' ? 'meta' : null
  },
}

/** About as many UTF-16 units of a paragraph are parsed at once. */
const MAX_PARAGRAPH_UNITS = 5_000

/**
 * CodeMirror's parses a whole paragraph at once, which takes time in proportion to the square of its length: seconds for
 * 200 KB of links. Here, a long one is several.
 */
const longParagraph = {
  name: 'LongParagraph',
  before: 'LinkReference',
  leaf: (): LeafBlockParser => ({
    nextLine: (context, _, leaf) => {
      const { content, start } = leaf
      if (content.length < MAX_PARAGRAPH_UNITS) return false
      const children = context.parser.parseInline(content, start)
      context.addLeafElement(leaf, context.elt('Paragraph', start, start + content.length, children))
      return true
    },
    finish: () => false,
  }),
}

export const asm = legacy(async () => (await import('@codemirror/legacy-modes/mode/gas')).gas)
export const bash = legacy(async () => (await import('@codemirror/legacy-modes/mode/shell')).shell)
export const c: Grammar = async () => (await import('@codemirror/lang-cpp')).cpp()
export const clojure = legacy(async () => (await import('@codemirror/legacy-modes/mode/clojure')).clojure)
export const cmake = legacy(async () => (await import('@codemirror/legacy-modes/mode/cmake')).cmake)
export const coffeescript = legacy(
  async () => (await import('@codemirror/legacy-modes/mode/coffeescript')).coffeeScript,
)
export const commonlisp = legacy(
  async () => (await import('@codemirror/legacy-modes/mode/commonlisp')).commonLisp,
)
export const crystal = legacy(async () => (await import('@codemirror/legacy-modes/mode/crystal')).crystal)
export const csharp = legacy(async () => (await import('@codemirror/legacy-modes/mode/clike')).csharp)
export const css: Grammar = async () => (await import('@codemirror/lang-css')).css()
export const d = legacy(async () => (await import('@codemirror/legacy-modes/mode/d')).d)
export const dart = legacy(async () => (await import('@codemirror/legacy-modes/mode/clike')).dart)
export const diff = legacy(async () => diffMode)
export const dockerfile = legacy(
  async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile,
)
export const dotenv = legacy(
  async () => (await import('@codemirror/legacy-modes/mode/properties')).properties,
)
export const elm = legacy(async () => (await import('@codemirror/legacy-modes/mode/elm')).elm)
export const erlang = legacy(async () => (await import('@codemirror/legacy-modes/mode/erlang')).erlang)
export const fortran = legacy(async () => (await import('@codemirror/legacy-modes/mode/fortran')).fortran)
export const fsharp = legacy(async () => (await import('@codemirror/legacy-modes/mode/mllike')).fSharp)
export const go: Grammar = async () => (await import('@codemirror/lang-go')).go()
export const graphql: Grammar = async () => new LanguageSupport((await import('cm6-graphql')).graphqlLanguage)
export const groovy = legacy(async () => (await import('@codemirror/legacy-modes/mode/groovy')).groovy)
export const haskell = legacy(async () => (await import('@codemirror/legacy-modes/mode/haskell')).haskell)
export const hcl: Grammar = async () => (await import('codemirror-lang-hcl')).hcl()
export const html: Grammar = async () => (await import('@codemirror/lang-html')).html()
export const http = legacy(async () => (await import('@codemirror/legacy-modes/mode/http')).http)
export const java: Grammar = async () => (await import('@codemirror/lang-java')).java()
export const javascript: Grammar = async () => (await import('@codemirror/lang-javascript')).javascript()
export const json: Grammar = async () => (await import('@codemirror/lang-json')).json()
export const jsx: Grammar = async () =>
  (await import('@codemirror/lang-javascript')).javascript({ jsx: true })
export const julia = legacy(async () => (await import('@codemirror/legacy-modes/mode/julia')).julia)
export const kotlin = legacy(async () => (await import('@codemirror/legacy-modes/mode/clike')).kotlin)
export const latex = legacy(async () => (await import('@codemirror/legacy-modes/mode/stex')).stex)
export const less: Grammar = async () => (await import('@codemirror/lang-less')).less()
export const lua = legacy(async () => (await import('@codemirror/legacy-modes/mode/lua')).lua)
export const markdown: Grammar = async () =>
  (await import('@codemirror/lang-markdown')).markdown({ extensions: { parseBlock: [longParagraph] } })
export const matlab = legacy(async () => (await import('@codemirror/legacy-modes/mode/octave')).octave)
export const nginx = legacy(async () => (await import('@codemirror/legacy-modes/mode/nginx')).nginx)
export const objectivec = legacy(async () => (await import('@codemirror/legacy-modes/mode/clike')).objectiveC)
export const ocaml = legacy(async () => (await import('@codemirror/legacy-modes/mode/mllike')).oCaml)
export const pascal = legacy(async () => (await import('@codemirror/legacy-modes/mode/pascal')).pascal)
export const perl = legacy(async () => (await import('@codemirror/legacy-modes/mode/perl')).perl)
export const php: Grammar = async () => (await import('@codemirror/lang-php')).php()
export const powershell = legacy(
  async () => (await import('@codemirror/legacy-modes/mode/powershell')).powerShell,
)
export const protobuf = legacy(async () => (await import('@codemirror/legacy-modes/mode/protobuf')).protobuf)
export const python: Grammar = async () => (await import('@codemirror/lang-python')).python()
export const r = legacy(async () => (await import('@codemirror/legacy-modes/mode/r')).r)
export const ruby = legacy(async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby)
export const rust: Grammar = async () => (await import('@codemirror/lang-rust')).rust()
export const sass: Grammar = async () => (await import('@codemirror/lang-sass')).sass({ indented: true })
export const scala = legacy(async () => (await import('@codemirror/legacy-modes/mode/clike')).scala)
export const scheme = legacy(async () => (await import('@codemirror/legacy-modes/mode/scheme')).scheme)
export const scss: Grammar = async () => (await import('@codemirror/lang-sass')).sass()
export const sql: Grammar = async () => (await import('@codemirror/lang-sql')).sql()
export const swift = legacy(async () => (await import('@codemirror/legacy-modes/mode/swift')).swift)
export const tcl = legacy(async () => (await import('@codemirror/legacy-modes/mode/tcl')).tcl)
export const toml = legacy(async () => (await import('@codemirror/legacy-modes/mode/toml')).toml)
export const tsx: Grammar = async () =>
  (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true })
export const typescript: Grammar = async () =>
  (await import('@codemirror/lang-javascript')).javascript({ typescript: true })
export const vbnet = legacy(async () => (await import('@codemirror/legacy-modes/mode/vb')).vb)
export const verilog = legacy(async () => (await import('@codemirror/legacy-modes/mode/verilog')).verilog)
export const vhdl = legacy(async () => (await import('@codemirror/legacy-modes/mode/vhdl')).vhdl)
export const vue: Grammar = async () => (await import('@codemirror/lang-vue')).vue()
export const wasm: Grammar = async () => (await import('@codemirror/lang-wast')).wast()
export const xml: Grammar = async () => (await import('@codemirror/lang-xml')).xml()
export const yaml: Grammar = async () => (await import('@codemirror/lang-yaml')).yaml()

// Languages with a similar grammar only.
export const cpp = c
export const elixir = ruby
export const fish = bash
export const ini = dotenv
export const jsonl = json
export const makefile = bash
export const svelte = html
export const zig = rust
