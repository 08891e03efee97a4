import type { Features } from './feature.ts'

export const DATA: Features = {
  sql: [
    [
      4,
      /\bSELECT\b[^\n]*\bFROM\b|\bINSERT INTO\b|\bCREATE (OR REPLACE )?(TABLE|VIEW|INDEX|UNIQUE|DATABASE|FUNCTION|TRIGGER|SCHEMA|EXTENSION|MATERIALIZED)\b|\bALTER TABLE\b|\bDROP (TABLE|INDEX|VIEW)\b|\bDELETE FROM\b|^\s*UPDATE \S+ SET\b|^(GRANT|REVOKE) [A-Z].* (ON|TO|FROM) |\bCREATE (USER|ROLE)\b|^EXPLAIN( ANALYZE)?$|^PRAGMA \w+|^TRUNCATE /gm,
    ],
    [
      4,
      /^\s*(select (\*|distinct |count\(|[\w."`]+( as \w+)?(, ?[^\n]*)?( from|$))|insert into \S+ ?(\(|values|select)|delete from \S+( where|;|$)|update \S+ set \w+ ?=|create (table|index|view|unique|database)\b|alter table \S+ (add|drop|alter|rename|modify)|drop table|with \w+ as \()/gim,
    ],
    [
      3,
      /^\s*(FROM|WHERE|ORDER BY|GROUP BY|LEFT JOIN|INNER JOIN|JOIN|HAVING|LIMIT|VALUES|UNION( ALL)?|PRIMARY KEY|FOREIGN KEY|SELECT|BEGIN;|COMMIT;|SET) ?/gm,
    ],
    [
      2,
      /^\s*(from \w+|where [\w.]+ (=|<|>|like|in|between|is)|order by \w|group by \w|(left |inner |outer )?join \w|having \w|limit \d+;?$)/gim,
    ],
    [
      2,
      /\b(NOT NULL|PRIMARY KEY|VARCHAR|INTEGER|REFERENCES|AUTO_?INCREMENT|TIMESTAMPTZ?|NUMERIC|BIGINT|SERIAL|JSONB|IS NULL|OVER \(|PARTITION BY|count\(\*\)|sum\()/gim,
    ],
    [1, /^--|^\s*\(\d+, '.*\)[,;]$/gm],
  ],
  dockerfile: [
    [4, /^FROM [\w./:${}@-]+( AS \w+)?$/gim],
    [
      3,
      /^(RUN|COPY|CMD|WORKDIR|ENTRYPOINT|EXPOSE|ENV|ARG|LABEL|ADD|USER|VOLUME|HEALTHCHECK|SHELL|ONBUILD) \S/gm,
    ],
  ],
  makefile: [
    [5, /^\.PHONY ?:|^\.(SUFFIXES|DEFAULT|PRECIOUS|ONESHELL):/gm],
    [3, /^[\w./%$()-]+( [\w./%$()-]+)* ?:(?![=:])[^=\n"'{;]*\n\t/gm],
    [
      3,
      /\$\([A-Z_]+\)|\$[@<^*]|\$\((shell|wildcard|patsubst|subst|foreach|call|addprefix|dir) |^(ifeq|ifneq|ifdef|ifndef|endif|-include|define|endef)\b/gm,
    ],
    [2, /^[A-Z_][A-Z0-9_]* ?[:?+]?= ?/gm],
    [
      3,
      /^[A-Za-z_][\w-]*:( [\w./-]+)*\n(\t| {2,8})(@|-)?(npm|pip|python|go|docker|rm|echo|cargo|gcc|make|node|npx|git|cp|mkdir|\$\()/gm,
    ],
  ],
  cmake: [
    [
      5,
      /^\s*(cmake_minimum_required|add_executable|add_library|target_link_libraries|target_include_directories|find_package|add_subdirectory|FetchContent_\w+|include_directories|set_target_properties|target_compile_\w+|enable_testing|add_test|configure_file|project)\s*\(/gim,
    ],
    [
      3,
      /^\s*(set|option|if|elseif|else|endif|foreach|endforeach|function|endfunction|message|list|install|include|macro)\s*\(/gim,
    ],
    [2, /\b(PUBLIC|PRIVATE|INTERFACE|REQUIRED|DESTINATION|VERSION)\b|\$\{CMAKE_\w+\}|\bCMAKE_\w+/gm],
  ],
  nginx: [
    [4, /^\s*(server|http|events|upstream \S+|location (=|~\*?|\^~)? ?\S+|stream) \{$/gm],
    [
      4,
      /^\s*(listen|server_name|proxy_pass|proxy_set_header|root|index|ssl_certificate(_key)?|return \d{3}|rewrite|try_files|access_log|error_log|add_header|worker_processes|worker_connections|sendfile|gzip|keepalive|expires|include|fastcgi_\w+|client_max_body_size|server) [^{}=;]+;/gm,
    ],
    [2, /\$(host|uri|request_uri|remote_addr|scheme|http_\w+|proxy_\w+)\b/gm],
  ],
  hcl: [
    [
      5,
      /^\s*(resource|data) "[\w-]+" "[\w-]+" \{|^\s*(variable|output|module|provider|backend|dynamic) "[\w-]+" \{|^(terraform|locals) \{$/gm,
    ],
    [
      2,
      /^\s*\w+ += (".*"|\d+|true|false|\[.*|\{.*|(var|local|module|data|each|aws_\w+)\..*|string|number|list\(.*|bool)$/gm,
    ],
    [3, /\$\{(var|local|module|data|each)\.|\b(var|local|module)\.\w+|\bfor_each\b|= "~> /gm],
    [1, /^\s*\w+ \{$/gm],
  ],
  protobuf: [
    [6, /^syntax = "proto[23]";|^\s*rpc \w+ ?\(.*\) returns ?\(/gm],
    [
      4,
      /^\s*(repeated |optional |required )?(string|int32|int64|uint32|uint64|bool|bytes|double|float|map<.*>|[A-Z]\w*) \w+ = \d+( \[.*\])?;/gm,
    ],
    [3, /^\s*(message|service|enum|oneof) \w+ \{$|^option \w+ = |^import "[\w/.]+\.proto";/gm],
    [1, /^\s*[A-Z_]+ = \d+;|^package [\w.]+;/gm],
  ],
  latex: [
    [
      5,
      /\\(documentclass|usepackage|begin|end|section|subsection|chapter|maketitle|newcommand|item|label|cite|ref|textbf|emph|frac|sum|int|title|author)\b\*?[[{ ~_\n]?/gm,
    ],
    [2, /\$[^$\n]*\\[a-z]+[^$\n]*\$|\\\\$/gm],
  ],
  nix: [
    [
      4,
      /\bpkgs\.\w+|\bwith (pkgs|lib);|\bmkDerivation\b|\bmkShell\b|\bnixpkgs\b|\bstdenv\b|\bfetch(url|FromGitHub)\b/gm,
    ],
    [3, /^\{ ?[\w, ?.]+(\.\.\.)? ?\}:|= \{ self, |^\s*inherit [\w ()]+;|\blet$|^\s*in( \{)?$|\brec \{/gm],
    [2, /^\s*[\w.-]+ = .*;$|^\s*[\w.]+ = \{$/gm],
  ],
  markdown: [
    [3, /^#{2,6} \S|^# \S.*\n\n/gm],
    [1, /^# \S.*\n[^#\n]/gm],
    [5, /^(`{3}|~{3})[\w-]*$/gm],
    [3, /!?\[[^\]\n]*\]\([^)\s]+\)/gm],
    [2, /\*\*[^*\s][^*\n]*\*\*|\b__[^_\n ]+__ |(^|\s)\*[^*\s][^*\n]*\*(?=[\s.,])|`[^`\n]+`/gm],
    [1.5, /^ {0,3}[-*+] \S/gm],
    [2, /^\s*[-*+] \[[ xX]\] |^> \S|^\d+\. \*\*/gm],
    [4, /^\|.*\|$\n\|?[\s:|-]+\|[\s:|-]*$/gm],
    [1, /^\d+\. \S/gm],
    [2, /^[A-Z].*\n(={4,}|-{4,})$/gm],
  ],
}

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
