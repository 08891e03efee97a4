import type { Features } from './feature.ts'

export const WEB: Features = {
  javascript: [
    [3, /^\s*(export (default )?)?(async )?function\*? ?\w*\([^)\n$]*\) ?\{|\bfunction ?\([\w, ]*\) ?\{/gm],
    [3, /=> ?[{(\w'"`[!]/gm],
    [
      3,
      /\b(console\.(log|error|warn|info)|document\.\w+|window\.\w+|module\.exports|process\.env|JSON\.(parse|stringify)|addEventListener|Object\.(keys|entries|assign)|Math\.\w+|Promise\.\w+)\b/gm,
    ],
    [3, /^\s*(const|let|var) (\w+|\{[\w, :]+\}|\[[\w, ]+\]) = /gm],
    [4, /\brequire\(['"][\w./@-]+['"]\)|^(import|export) .* from ['"]|^import ['"]|^\s*import \w+ from/gm],
    [2, /===|!==|\bundefined\b|\bnew (Promise|Map|Set|Error|Date)\b|\bthis\.#?\w+|\bawait \w|\btypeof \w/gm],
    [
      3,
      /\$\(['"(]|^export (default |const |async |function |class )|\.prototype\.\w+|\.(then|forEach|addEventListener|querySelector\w*)\(/gm,
    ],
    [2, /`[^`\n]*\$\{[^}\n]*\}/gm],
    [1, /^\s*(constructor|async \w+|static \w+|get \w+)\(.*\) ?\{|^class \w+( extends [\w.]+)? \{/gm],
    [1, /^\s*(\}|\)|\}\))[;,]?$/gm],
    // Types before names, as in Java, C# and Dart.
    [
      -4,
      /^\s*(public |private |static |final |override )*(void|int|double|float|String|boolean|bool|char|Future<.*>|final) \w+( ?\(| ?=|;|,)/gm,
    ],
    [
      -3,
      /\b(public|private|internal) (class|record|static|override|double|void|int)\b|^\s*@[oO]verride$|\((string|int|String|[A-Z]\w*(Context|Db|Request)) \w+[,)]/gm,
    ],
  ],
  typescript: [
    [
      4,
      /^\s*(export )?(declare )?(interface \w+(<.*>)?( extends [\w<>, ]+)? \{|type \w+(<.*>)? = |namespace \w+ \{|abstract class |enum \w+ \{|const enum |module '|global \{|const \w+: )|^\s*declare (const|function|let|var) \w|^export (declare|type|abstract|enum) |\{ ?type \w+|, type \w+[, }]|from '[^'\n]*\.tsx?'/gm,
    ],
    [
      4,
      /[\w)\]'?]: (readonly )?(string|number|boolean|void|any|unknown|never|bigint|object|Promise<.*>|Record<.*>|Map<.*>|Array<.*>|React\.\w+|Date|Set<.*>)(\[\]|\b|$)/gm,
    ],
    [
      3,
      /\) ?: ?[A-Z]\w*(<.*>|\[\])? (=>|\{)|\w+\?: ?\w|\bas (const|any|unknown|[A-Z]\w*)\b|\bimport type\b|\bexport type\b|\bsatisfies \w|\bkeyof \w|\binfer \w/gm,
    ],
    [3, /\b(private|public|protected) (readonly |async |static )?\w+(: |\(|\?: | = )|\breadonly \w+/gm],
    [
      3,
      /\w<(string|number|boolean|unknown|any|[A-Z]\w*(\[\])?)(, ?\w+(\[\])?)*>\(|\(\w+: [A-Z]?\w+[,)]|^\s*@(Component|Injectable|Input|Output|Module|NgModule)\b|: FC<|: \w+\[\]/gm,
    ],
  ],
  jsx: [
    [
      4,
      /^\s*<[A-Z][\w.]*( [\w-]+=| \/?>|>|\s*$)|^\s*(return|=>)? ?\(?\s*<(div|span|p|ul|h1|section|button|main|form|html|head|body|table|img|a|>)/gm,
    ],
    [
      3,
      /\b(className|htmlFor|onClick|onChange|onSubmit|key)=(\{|")|=\{[\w(`'"{!]|<\/[A-Z][\w.]*>|<>|<\/>|\{\.\.\.\w+\}/gm,
    ],
    [3, /\breturn \(?\s*<\w|\buseState\b|\buseEffect\b|from ['"]react['"]|\? <\w+|&& <\w|=> \(?<\w/gm],
    [3, />\{[\w.]+\}<|^\s*\{props\.\w+\}$/gm],
  ],
  html: [
    [
      3,
      /<\/?(div|span|p|a|ul|ol|li|table|tr|td|th|thead|tbody|form|input|label|button|h[1-6]|img|head|body|html|section|nav|main|header|footer|article|select|option|strong|em|br|hr|pre|iframe|video|dl|dd)(\s[^<>\n]*)?\/?>/gim,
    ],
    [3, /<(script|style|link|meta|title)(\s[^<>\n]*)?>|<!--|<\/(script|style|title)>/gim],
    [2, /\s(class|href|src|id|style|alt|type|rel|action|method)="[^"\n]*"/gm],
    [1, /&(nbsp|amp|lt|gt|quot|copy|#\d+);/gm],
  ],
  xml: [
    [1.5, /^\s*<[\w:.-]+( [\w:.-]+="[^"\n]*")*\s*\/?>([^<\n]*<\/[\w:.-]+>)?$/gm],
    [
      3,
      /<[a-z]+[A-Z]\w*>|<\w+:\w+|\bxml(ns)?(:\w+)?="|<!\[CDATA\[|<!DOCTYPE \w+ (SYSTEM|PUBLIC)|<[A-Z][a-z]+[A-Z]?\w*[ >]/gm,
    ],
    [1, /^\s*<\/[\w:.-]+>$/gm],
  ],
  vue: [
    [5, /\bv-(if|for|model|else|show|bind|on|slot|html)\b|<script setup|\bdefineProps\b|\bdefineEmits\b/gm],
    [3, /^<\/?template>|\s[@:][\w.-]+="|^<style scoped/gm],
    [2, /\{\{ ?[\w.]+.*\}\}/gm],
  ],
  svelte: [
    [
      6,
      /\{[#/:@](if|each|await|else|then|key|html|snippet|render|catch)\b|\bon:\w+=\{|\bbind:\w+=?|\$(state|derived|props|effect)\(|<svelte:/gm,
    ],
    [3, /^\s*\$: |^\s*export let \w+|>\{\w+\}<|^\s*\{\w+\}|=\{\w+\}/gm],
  ],
  css: [
    [
      3,
      /^\s*(color|background(-\w+)?|margin(-\w+)?|padding(-\w+)?|display|position|font(-\w+)?|width|height|border(-\w+)?|max-width|min-width|text-align|text-decoration|z-index|flex(-\w+)?|grid(-\w+)*|gap|cursor|opacity|transition|transform|overflow|line-height|top|left|right|bottom|inset|content|list-style|--[\w-]+)\s*:\s*[^;{}\n]+;/gm,
    ],
    [
      3,
      /[{;] ?(color|background(-\w+)?|margin(-\w+)?|padding|display|position|font(-\w+)?|width|height|border(-\w+)?|transform|z-index|fill|stroke)\s*:\s*[^;{}\n"',]+[;}]/gm,
    ],
    [2, /^\s*([.#&]?[a-z][\w-]*|\*|::?[\w-]+)([ >+~,.:#][\w.#:()>+~* [\]="'-]*)?\s*\{/gm],
    [
      4,
      /^\s*@(media|import|keyframes|font-face|charset|supports|layer|container|property)\b|^:root ?\{|\bvar\(--|\d(px|rem|em|vh|vw|fr)\b|: ?#[\da-f]{3,8};/gim,
    ],
  ],
  scss: [
    [
      4,
      /^\s*\$[\w-]+\s*:\s*[^;\n]+;|^\s*@(mixin|include|extend|use|forward|function|each|if|else|return|content)\b|#\{\$/gm,
    ],
    [3, /^\s*&[:.\-_ >]|: [^;{\n'"]*\$[\w-]+[^;\n]*;|\b(darken|lighten|map-get|math\.div)\(|^%[\w-]+ \{/gm],
  ],
  less: [
    [
      4,
      /^\s*@(?!media|import|charset|keyframes|font-face|supports|page|namespace|layer|container|property|tailwind|apply|use|include|mixin|extend|each|if|else|function|return|forward|content)[\w-]+\s*:\s*[^;{\n]+;|\) when \(|~"|@import \(/gm,
    ],
    [3, /^\s*\.[\w-]+(\([^)\n]*\))?;$|: ?([^;{\n<@]*[ (,])?@[\w-]+[^;\n]*;|\b(fade|darken|lighten)\(@/gm],
  ],
  sass: [
    [4, /^[=+]\w[\w-]*(\(.*\))?$|^\s+\+\w[\w-]*(\(.*\))?$|^\$[\w-]+: [^;\n]+$/gm],
    [
      2,
      /^\s+(color|margin|padding|font|display|border(-\w+)?|list-style|background): [^;{\n]+$|^\s+&[:.]\w+$/gm,
    ],
    [1, /^(nav|body|ul|a|[.#]\w[\w-]*|h1|div)$/gm],
  ],
  graphql: [
    [
      4,
      /^\s*(query|mutation|subscription)( \w+)?(\(\$.*\))? ?\{|^fragment \w+ on \w+|^\s*\.\.\.\w+$|^\s*\.\.\. on \w+/gm,
    ],
    [3, /^\s*\w+(\(.*\))?: \[?(ID|String|Int|Float|Boolean|[A-Z]\w*)!?\]?!?( ?[@=].*)?$/gm],
    [
      3,
      /^\s*(extend )?(type|input|interface|scalar|union|directive) @?\w+( implements [\w& ]+)?( ?[{=]|$)|^schema \{/gm,
    ],
    [2, /\$\w+: \[?\w+!?\]?!?|\[\w+!?\]!|: ID!|^\s*\w+\(\w+: ?[\w${"]/gm],
    [2, /^enum \w+ \{$|^\s*[A-Z][A-Z_]+$/gm],
  ],
}
