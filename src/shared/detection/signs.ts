/**
 * A sign of a language, in a sample of short lines. One with the weight 4 or more is in no other language, and one with
 * a negative weight speaks against it.
 */
export type Sign = readonly [weight: number, pattern: RegExp]

/**
 * The weight and the pattern of each sign, below the name of its language. Patterns are multiline; `i` after one ignores
 * case, and `\x60` is a backtick. They have at most one unbounded repetition between two fixed parts, so that they take
 * linear time.
 */
const TABLE = String.raw`
javascript
  3 /^\s*(export (default )?)?(async )?function\*? ?\w*\([^)\n$]*\) ?\{|\bfunction ?\([\w, ]*\) ?\{/
  3 /=> ?[{(\w'"\x60[!]/
  3 /\b(console\.(log|error|warn|info)|document\.\w+|window\.\w+|module\.exports|process\.env|JSON\.(parse|stringify)|addEventListener|Object\.(keys|entries|assign)|Math\.\w+|Promise\.\w+)\b/
  3 /^\s*(const|let|var) (\w+|\{[\w, :]+\}|\[[\w, ]+\]) = /
  4 /\brequire\(['"][\w./@-]+['"]\)|^(import|export) .* from ['"]|^import ['"]|^\s*import \w+ from/
  2 /===|!==|\bundefined\b|\bnew (Promise|Map|Set|Error|Date)\b|\bthis\.#?\w+|\bawait \w|\btypeof \w/
  3 /\$\(['"(]|^export (default |const |async |function |class )|\.prototype\.\w+|\.(then|forEach|addEventListener|querySelector\w*)\(/
  2 /\x60[^\x60\n]*\$\{[^}\n]*\}/
  1 /^\s*(constructor|async \w+|static \w+|get \w+)\(.*\) ?\{|^class \w+( extends [\w.]+)? \{/
  1 /^\s*(\}|\)|\}\))[;,]?$/
  -4 /^\s*(public |private |static |final |override )*(void|int|double|float|String|boolean|bool|char|Future<.*>|final) \w+( ?\(| ?=|;|,)/
  -3 /\b(public|private|internal) (class|record|static|override|double|void|int)\b|^\s*@[oO]verride$|\((string|int|String|[A-Z]\w*(Context|Db|Request)) \w+[,)]/
typescript
  4 /^\s*(export )?(declare )?(interface \w+(<.*>)?( extends [\w<>, ]+)? \{|type \w+(<.*>)? = |namespace \w+ \{|abstract class |enum \w+ \{|const enum |module '|global \{|const \w+: )|^\s*declare (const|function|let|var) \w|^export (declare|type|abstract|enum) |\{ ?type \w+|, type \w+[, }]|from '[^'\n]*\.tsx?'/
  4 /[\w)\]'?]: (readonly )?(string|number|boolean|void|any|unknown|never|bigint|object|Promise<.*>|Record<.*>|Map<.*>|Array<.*>|React\.\w+|Date|Set<.*>)(\[\]|\b|$)/
  3 /\) ?: ?[A-Z]\w*(<.*>|\[\])? (=>|\{)|\w+\?: ?\w|\bas (const|any|unknown|[A-Z]\w*)\b|\bimport type\b|\bexport type\b|\bsatisfies \w|\bkeyof \w|\binfer \w/
  3 /\b(private|public|protected) (readonly |async |static )?\w+(: |\(|\?: | = )|\breadonly \w+/
  3 /\w<(string|number|boolean|unknown|any|[A-Z]\w*(\[\])?)(, ?\w+(\[\])?)*>\(|\(\w+: [A-Z]?\w+[,)]|^\s*@(Component|Injectable|Input|Output|Module|NgModule)\b|: FC<|: \w+\[\]/
jsx
  4 /^\s*<[A-Z][\w.]*( [\w-]+=| \/?>|>|\s*$)|^\s*((return|=>)\s*)?(\(\s*)?<(div|span|p|ul|h1|section|button|main|form|html|head|body|table|img|a|>)/
  3 /\b(className|htmlFor|onClick|onChange|onSubmit|key)=(\{|")|=\{[\w(\x60'"{!]|<\/[A-Z][\w.]*>|<>|<\/>|\{\.\.\.\w+\}/
  3 /\breturn \(?\s*<\w|\buseState\b|\buseEffect\b|from ['"]react['"]|\? <\w+|&& <\w|=> \(?<\w/
  3 />\{[\w.]+\}<|^\s*\{props\.\w+\}$/
html
  3 /<\/?(div|span|p|a|ul|ol|li|table|tr|td|th|thead|tbody|form|input|label|button|h[1-6]|img|head|body|html|section|nav|main|header|footer|article|select|option|strong|em|br|hr|pre|iframe|video|dl|dd)(\s[^<>\n]*)?\/?>/i
  3 /<(script|style|link|meta|title)(\s[^<>\n]*)?>|<!--|<\/(script|style|title)>/i
  2 /\s(class|href|src|id|style|alt|type|rel|action|method)="[^"\n]*"/
  1 /&(nbsp|amp|lt|gt|quot|copy|#\d+);/
xml
  1.5 /^\s*<[\w:.-]+( [\w:.-]+="[^"\n]*")*\s*\/?>([^<\n]*<\/[\w:.-]+>)?$/
  3 /<[a-z]+[A-Z]\w*>|<\w+:\w+|\bxml(ns)?(:\w+)?="|<!\[CDATA\[|<!DOCTYPE \w+ (SYSTEM|PUBLIC)|<[A-Z][a-z]+[A-Z]?\w*[ >]/
  1 /^\s*<\/[\w:.-]+>$/
vue
  5 /\bv-(if|for|model|else|show|bind|on|slot|html)\b|<script setup|\bdefineProps\b|\bdefineEmits\b/
  3 /^<\/?template>|\s[@:][\w.-]+="|^<style scoped/
  2 /\{\{ ?[\w.]+.*\}\}/
svelte
  6 /\{[#/:@](if|each|await|else|then|key|html|snippet|render|catch)\b|\bon:\w+=\{|\bbind:\w+=?|\$(state|derived|props|effect)\(|<svelte:/
  3 /^\s*\$: |^\s*export let \w+|>\{\w+\}<|^\s*\{\w+\}|=\{\w+\}/
css
  3 /^\s*(color|background(-\w+)?|margin(-\w+)?|padding(-\w+)?|display|position|font(-\w+)?|width|height|border(-\w+)?|max-width|min-width|text-align|text-decoration|z-index|flex(-\w+)?|grid(-\w+)*|gap|cursor|opacity|transition|transform|overflow|line-height|top|left|right|bottom|inset|content|list-style|--[\w-]+)\s*:\s*[^;{}\n]+;/
  3 /[{;] ?(color|background(-\w+)?|margin(-\w+)?|padding|display|position|font(-\w+)?|width|height|border(-\w+)?|transform|z-index|fill|stroke)\s*:\s*[^;{}\n"',]+[;}]/
  2 /^\s*([.#&]?[a-z][\w-]*|\*|::?[\w-]+)([ >+~,.:#][\w.#:()>+~* [\]="'-]*)?\s*\{/
  4 /^\s*@(media|import|keyframes|font-face|charset|supports|layer|container|property)\b|^:root ?\{|\bvar\(--|\d(px|rem|em|vh|vw|fr)\b|: ?#[\da-f]{3,8};/i
scss
  4 /^\s*\$[\w-]+\s*:\s*[^;\n]+;|^\s*@(mixin|include|extend|use|forward|function|each|if|else|return|content)\b|#\{\$/
  3 /^\s*&[:.\-_ >]|: [^;{\n'"]*\$[\w-][^;\n]*;|\b(darken|lighten|map-get|math\.div)\(|^%[\w-]+ \{/
less
  4 /^\s*@(?!media|import|charset|keyframes|font-face|supports|page|namespace|layer|container|property|tailwind|apply|use|include|mixin|extend|each|if|else|function|return|forward|content)[\w-]+\s*:\s*[^;{\n]+;|\) when \(|~"|@import \(/
  3 /^\s*\.[\w-]+(\([^)\n]*\))?;$|: ?([^;{\n<@]*[ (,])?@[\w-][^;\n]*;|\b(fade|darken|lighten)\(@/
sass
  4 /^[=+]\w[\w-]*(\(.*\))?$|^\s+\+\w[\w-]*(\(.*\))?$|^\$[\w-]+: [^;\n]+$/
  2 /^\s+(color|margin|padding|font|display|border(-\w+)?|list-style|background): [^;{\n]+$|^\s+&[:.]\w+$/
  1 /^(nav|body|ul|a|[.#]\w[\w-]*|h1|div)$/
graphql
  4 /^\s*(query|mutation|subscription)( \w+)?(\(\$.*\))? ?\{|^fragment \w+ on \w+|^\s*\.\.\.\w+$|^\s*\.\.\. on \w+/
  3 /^\s*\w+(\(.*\))?: \[?(ID|String|Int|Float|Boolean|[A-Z]\w*)!?\]?!?( ?[@=].*)?$/
  3 /^\s*(extend )?(type|input|interface|scalar|union|directive) @?\w+( implements [\w& ]+)?( ?[{=]|$)|^schema \{/
  2 /\$\w+: \[?\w+!?\]?!?|\[\w+!?\]!|: ID!|^\s*\w+\(\w+: ?[\w{$"]/
  2 /^enum \w+ \{$|^\s*[A-Z][A-Z_]+$/
python
  4 /^\s*(async )?def \w+\([^)\n]*\)?( ?-> ?[\w[\], .|"]+)?:?$/
  3 /^\s*(async )?def \w+\($/
  4 /^from [\w.]+ import [\w(*]/
  2 /^import [a-z_][\w.]*( as \w+)?(, ?[a-z_]\w*)*$/
  2 /^\s*class \w+(\([\w., =]*\))?:$/
  2 /^\s*(if|elif|for|while|with|except|else|try|finally)\b[^{}\n]*:$/
  2 /^\s*for \w+(, ?\w+)* in [^{\n]+:$/
  3 /\bself\.\w+|\(self[,)]/
  3 /\b__\w+__\b/
  3 /^\s*(raise \w+|except( \w+)?( as \w+)?:|elif )/
  2 /\bprint\(|\bf"[^"\n]*\{|\bf'[^'\n]*\{/
  1 /\b(None|True|False)\b|\blambda \w+:|\bnot in\b|\bis not\b/
  2 /^\s*("""|''')|^\s*@\w+[\w.]*(\(.*\))?$/
  2 /\b(for \w+ in \w+[^\n{}]*\)|len\(|range\(|int\(|str\()/
  2 /^\w+ = (pd|np|plt|df)\./
ruby
  3 /^\s*def (self\.)?[a-z_]\w*[?!=]?(\(.*\)| \w+)?$/
  2 /^\s*end$/
  3 /\bdo \|[\w, *&()]+\|$|\{ ?\|[\w, ]+\| /
  3 /^\s*(attr_(accessor|reader|writer)|require_relative|include|extend|before_action|validates|belongs_to|has_many|scope) /
  2 /^\s*require ['"]/
  2 /^\s*class [A-Z][\w:]*( < [A-Z][\w:]*)?$|^\s*module [A-Z][\w:]*$/
  2 /^\s*puts [^(]|^\s*p \w|\.(each|map|nil\?|empty\?|select|times)\b ?(do|\{|$|\))/
  2 /@\w+ (\|\|)?= |\b(unless|elsif|rescue|ensure) |:\w+ => /
  2 /"[^"\n]*#\{[^}\n]*\}/
  3 /^\s*(gem|source|group) ['":]\w?/
  3 /^\s*(describe|context|it|let|RSpec\.describe)[ (]["':\w].* (do|\{)( |$)/
  2 /\b(described_class|expect\(|to eq\()/
crystal
  4 /^\s*(property|getter|setter)\?? {1,2}\w+ : [A-Z]/
  4 /^\s*def \w+\(.*\w+ : [A-Z]\w*.*\)( : [A-Z]\w*)?$/
  4 /\) : (Nil|Int32|String|Bool)$|\bHTTP::Server\.new|^\s*require "(http|json|socket|spec)(\/\w+)?"$/
  4 /@\w+ : [A-Z]\w*|\b(Int32|Int64|Float64)\b/
elixir
  5 /^\s*defmodule [A-Z][\w.]* do$/
  4 /^\s*(def|defp|defmacro) \w+[?!]?(\(.*\))?( when .*)?(,? do:?| do)\b/
  3 /^\s*\|> [\w.]+[?!]?\(?/
  3 /^\s*@(impl|moduledoc|doc|spec|type) /
  3 /\{:(ok|error|reply|noreply), |\b(IO\.(puts|inspect)|Enum\.\w+|GenServer\.\w+|Stream\.\w+|String\.\w+)\(?/
  2 /^\s*(use|alias|import) [A-Z][\w.]+(, .*)?$|%\{\w+: |&\w+\/\d|fn .* -> /
  3 /^\s*(plug|pipe_through|pipeline|test|describe|scope) [:"].* ?(do|\w)$/
erlang
  5 /^-(module|export|behaviou?r|record|include|include_lib|spec|define|type)\(/
  3 /^[a-z]\w*\([^)\n]*\)( when .*)? ->/
  2 /\b(fun\(|receive$|end\.$|end,$)|[a-z]\w*:[a-z]\w*\(/
  2 /\?[A-Z]{2,}|! ?\{|\{ok, [A-Z]|=:=|=\/=|\bio:format\(/
lua
  4 /^\s*local function \w+|^\s*local \w+(, ?\w+)* = (require|\{|function|setmetatable)/
  2 /^\s*local \w+/
  2 /^\s*function [\w.:]+\([^)\n]*\)$/
  2 /\bthen$|^\s*end[,)]?$|^\s*elseif .* then/
  3 /\b(ipairs|pairs|setmetatable|table\.insert|string\.(format|gmatch|gsub|sub))\(|~= | \.\. |__index/
  2 /\bnil\b|^\s*for \w+(, ?\w+)* (in|=) .* do$|^\s*repeat$|^\s*until /
  3 /\bvim\.(opt|keymap|g|api|cmd|fn)\b|\blove\.\w+|^--\[\[/
  1 /^\s*--[ -]/
perl
  5 /^use (strict|warnings|utf8|v5|feature|lib|parent|base)\b/
  4 /^\s*(my|our|local) (\(?[$@%]\w+|\([$@%])/
  4 /^\s*sub \w+ ?\{|\bshift;$|\bbless\b|@_\b|\$_\b|@\{ ?\$/
  3 /=~ ?(m|s|tr|y)?[/{|]|\$\w+->\{|\{\$\w+\}|\bqw[(/]/
  2 /\b(chomp|elsif|unless|foreach my|print STDERR|die|push @)\b/
  3 /^package [\w:]+;$|^1;$|^__END__$|^=(head1|pod|cut)/
php
  4 /(=|=>|\breturn) match ?\(\$\w+\) ?\{/
  8 /<\?(php|=)/
  3 /^\s*((public|private|protected)\s*)?(static )?function \w*\([^)\n]*\$\w+|^function \w+\(\)\s*\{/
  3 /\$this->\w+|\$\w+->\w+/
  2 /^\s*\$\w+ (\.|\?\?)?= .*;$/
  2 /^\s*echo .*;$|\$_(GET|POST|SERVER|SESSION)\b/
  3 /foreach ?\(\$?\w.* as \$\w+|\barray\(|=> ?['"$\w]|\bisset\(|\bempty\(\$/
  2 /^use [A-Z]\w*(\\\w+)+;$|^namespace [A-Z]\w*(\\\w+)*;$/
  3 /\b(wp_|add_action|add_filter|get_template|esc_html|__\()\w*/
  2 /\bnew [A-Z]\w*\(.*\$|\$\w+ ?\. ?'|' ?\. ?\$\w+/
r
  4 /^\s*[\w.]+ <- |<<- /
  4 /<- function\(|%>%|%in%|\|>$/
  3 /^(library|require|source|install\.packages)\(["\w.]+\)/
  3 /\b(data\.frame|ggplot|aes|geom_\w+|seq_along|seq_len|sapply|lapply|stringsAsFactors|na\.rm|read\.csv|tibble|mutate|summarise|lm)\b ?[(=]/
  2 /\bc\([\d"]|\b(TRUE|FALSE|NA|NULL)\b/
  1 /\w\$\w+|\bpaste0?\(|\bcat\(/
julia
  3 /^(using|import) [A-Z]\w*(: ?\w+)?(, ?[A-Z]\w*)*$/
  3 /^\s*function \w+[!]?\(.*\)(::\w+)?$/
  3 /^\s*function \w+!?\([^;)\n]*; ?\w+ ?=/
  4 /\b(sin|cos|tan|exp|log|sqrt|abs|round|string)\.\(/
  3 /::(Int|Float64|String|Int64|Vector|Any|Bool|Array|Matrix|AbstractString)\b|\b(mutable )?struct \w+( ?<: ?\w+)?$|<:/
  2 /^\s*end$/
  3 /^\s*@(time|show|test|assert|testset|inbounds|benchmark|threads) |\bprintln\("[^"\n]*\$|\babstract type\b| ÷ |\w \.[*/+^-] /
  2 /^\w+\([^)\n]*\) = /
  3 /^(export|module) \w+(, ?\w+)*$|\b(push!|sort!|append!|DataFrame)\(/
tcl
  4 /^\s*proc [\w:]+ \{[^}\n]*\} \{$/
  3 /^\s*set \w+ (\[|"|\$|\{|\d)/
  3 /^\s*(puts|foreach \w+|package require|namespace eval|incr|lappend|spawn|expect|send|interact)\b/
  3 /\[(string|list|llength|lindex|expr|dict|format|info|lappend|lrange|clock) |^\s*(variable|upvar|uplevel|global|unset|bind|catch|namespace) [\w:{.]|\$\w+\(-?\w+\)|(^|[ [])::?[a-z]\w*::\w+|\bttk?::\w+/
  1 /^\s*\} else(if .*)? \{$|^\s*return \$\w+$/
bash
  3 /^\s*(if|elif|while|until) (\[\[? |! |\(\(|test )/
  3 /; ?(then|do)$|^\s*(then|do|fi|done|esac)\b|; ?(do|then) .*; ?(done|fi)/
  3 /^\s*(export|readonly|local|declare|alias|unset|source|trap|shift|eval)( -\w+)? \w*=?["'$\w(]/
  2 /^\s*echo( -\w+)? (["'$]|\w)/
  3 /"?\$\{?[A-Z_@#*?!]\w*\}?"?|\$\([a-z]\w* ?(?!shell)|\$[0-9@#?]/
  2 /^\w+=("|'|\$|\x60|[\w/.]+$)|^\s*\w+\(\) ?\{$/
  3 /^\s*(set -[eux]|case .* in$|getopts |exec |read -\w)|\) .*;;$|;;$/
  4 /^(\$ |# )?(sudo |time |nohup )?(apt(-get)?|yum|dnf|brew|npm|npx|pnpm|yarn|pip3?|cargo|docker(-compose)?|kubectl|helm|git|systemctl|journalctl|curl|wget|ssh|scp|rsync|chmod|chown|mkdir|cd|cp|mv|rm|ln|tar|grep|sed|awk|find|xargs|ls|cat|tail|head|ps|kill|make|node|python3?|go|openssl|ffmpeg|psql|mysql|redis-cli|aws|gcloud|terraform|ansible|certbot|useradd|crontab|nginx|sh|bash|du|df|lsof|jq|tee|source|touch|unzip|gzip) (-{1,2}[A-Za-z]|["'$~./*{]|[\w@.:/-]+( |$))/
  2 / (\|\||&&|\||2?>>?|2>&1|<<-?) ?(["'\w/$&.]|$)/
  3 /\| ?(sudo|sort|uniq|grep|awk|sed|head|tail|xargs|wc|tr|cut|bash|sh|tee|less|jq)\b/
  2 / -{1,2}[a-z][\w-]*(?=[ =\n]|$)/
  3 /^for \w+ in .*; ?do\b|^\s*for \w+ in [^:{(\n]*$/
fish
  4 /^\s*set -[gUxlae]+ \w+/
  4 /\bstatus (is-interactive|--is)|\$argv\b|^\s*(abbr|fish_\w+|funced|funcsave) |--description "/
  3 /^\s*(if|while) (test|status|set -q|not|command)\b|^\s*(and|or|not) \w|^\s*end$/
  3 /^\s*function \w[\w-]*( --?\w.*)?$|^for \w+ in [^:{;]+$/
  2 /\(\w+ \$[^)\n]*\)|\bstring (split|match|replace|join)\b/
powershell
  4 /\b(Get|Set|New|Remove|Add|Write|Read|Import|Export|Invoke|Start|Stop|Restart|Select|Where|ForEach|Sort|Out|Test|ConvertTo|ConvertFrom|Format|Enable|Disable|Install|Join|Split|Measure|Group|Copy|Move|Clear|Update|Register|Connect|Compare|Resolve)-[A-Z]\w+/
  3 /\$(_|PSItem|env:\w+|PSScriptRoot|ErrorActionPreference|null|true|false|PSVersionTable)\b/
  3 /\s-(eq|ne|lt|gt|le|ge|like|notlike|match|notmatch|contains|and|or|not|join|split|replace) /
  3 /^\s*(param ?\(|\[CmdletBinding|\[Parameter)|^\s*\[(string|int|switch|bool|datetime)\]\s*\$/i
  2 /^\s*\$\w+ = (?!.*;$)/
  2 / -[A-Z][a-z]\w+( |$)|@\{|@\(|^function [A-Z]\w+-[A-Z]/
  2 /\b(foreach|if|elseif) \(\$\w+.*\) ?\{$/
batch
  6 /^@?echo off\b/i
  4 /^\s*(rem |goto :?\w|setlocal|endlocal|pause$|if (not )?(exist|errorlevel|defined|"%)|exit \/b|call :\w|for \/[flrd] |@(rem|set|if|for|call|cd|title|start)\b)/i
  3 /%[A-Z_]\w*%|%~\w+|%%~?[a-z]\b|"%\d"/i
  3 /^:\w+$|^set (\/[ap] )?"?\w+=/i
  2 /\b[A-Z]:\\|\\\w+\.(exe|bat|cmd)\b/i
coffeescript
  4 /^\s*[\w.@]+ ?[=:] ?(\([^)\n]*\) ?)?[-=]>( |$)/
  3 /\b(unless|isnt) \w|^\s*\w+: \(.*\) ->|\(@\w+|, @\w+|\bconstructor: /
  2 /"[^"\n]*#\{|^\s*class \w+( extends \w+)?$|\bfor \w+ in [^:{]*$|\[\d+\.\.\.?\w+\]/
c
  4 /^\s*#\s*include\s*[<"][\w./+-]+[>"]/
  3 /^\s*#\s*(define \w|ifn?def |if defined|undef |pragma |endif$)/
  3 /^(static |extern |inline |const |unsigned |signed )*(int|void|char|long|double|float|size_t|bool|struct \w+|u?int\d+_t)[ *]+\w+\([^;{}]*\)?\s*[{;]?$/
  3 /\b(printf|malloc|free|sizeof|memcpy|memset|strlen|strcmp|fprintf|scanf)\s*\(/
  2 /^\s*(const |unsigned |struct )*(int|char|float|double|long|short|size_t|u?int\d+_t|struct \w+) \*{0,2}\w+(\[.*\])?( = .*)?[;,]/
  2 /\w->\w|\btypedef (struct|enum|union|unsigned)|\bNULL\b|\b(struct|enum|union) \w+ ?\{/
  2 /^(static |extern |inline |const )*\w+ \*?\w+\([\w *,[\]]*\);$|^\s*(__)?[us]\d\d \w+;|^\s*\w+_t \*?\w+;|^typedef |^extern /
  2 /\b(pr_info|module_init|MODULE_\w+|__init|__exit)\b|^\s*return [\w-]+;$/
cpp
  4 /^\s*enum (class|struct) \w+[^{}();\n]*\n?[ \t]*\{[^{}]*\};/
  4 /\bstd::\w+/
  4 /^\s*#include <(iostream|vector|string|map|memory|algorithm|functional|cstdio|cstdlib|cmath|utility|thread|mutex|chrono|bits\/stdc\+\+\.h|unordered_map|set|queue|sstream|fstream|\w+\.hpp)>/
  3 /^\s*using namespace \w+;|^\s*namespace [\w:]* ?\{|\b(cout|cin|cerr) ?(<<|>>)/
  4 /^\s*template ?<(typename|class|int|auto|)/
  3 /^\s*(public|private|protected):$|\bvirtual \w|\boverride;|\bconstexpr\b|\bnoexcept\b|\bnullptr\b|= (delete|default);/
  2 /^\s*class \w+( final)?( : (public|private) [\w:]+)?( ?\{)?;?$|\bconst \w+& ?\w*|\bauto[&]? \w+ ?[=:]|\w+::\w+\(/
  4 /\b(Serial\.(begin|print|println|available)|digitalWrite|pinMode|analogRead)\(|^void (setup|loop)\(\)/
objectivec
  5 /^@(interface|implementation|property|protocol|end|synthesize|dynamic|optional|required)\b|^@(import|class) \w+;/
  4 /^\s*[-+] ?\([\w *<>]+\)\w+/
  3 /\b(NS(String|Array|Log|Object|Integer|Dictionary|Mutable\w+|Number)|@autoreleasepool|UI(View|Color)\w*)\b/
  3 /@"|\[\[?[A-Za-z]\w* [a-z]\w*(:[\w@"[&(]|\][;. )\]])|^#import /
csharp
  4 /^using (System|Microsoft|Unity\w*|Newtonsoft|Xunit|NUnit)(\.[A-Z]\w*)*;$/
  2 /^using [A-Z][\w.]*;$|^namespace [A-Z][\w.]*( ?\{|;)?$/
  4 /\{ get; |\bstring\.(Empty|Join|Format|IsNullOrEmpty)\b|\bConsole\.(Write|Read)(Line)?\(/
  3 /\b(async Task|Task<|IEnumerable<|ICollection<|IActionResult|List<\w+>|Dictionary<)\b/
  2 /\bvar \w+ = (await |new )?|\bforeach \(\w+ \w+ in /
  3 /\bstatic (async )?(void|Task) Main\(|\binternal (class|static)|\bpublic (override|virtual|readonly|async|partial|record)\b|\bis (not )?null\b/
  2 /^\s*\[\w+(\(.*\))?\]( \w+.*)?$|\$"[^"\n]*\{|\w+ => \w|\bstring \w+/
  3 /\b(WebApplication|builder\.Services|builder\.Build\(\)|app\.Map\w+|async \(\w+ \w+\) =>|MonoBehaviour|GetComponent<|Vector3)\b/
  2 /^\s*(public|private|protected) (static )?(class|void|int|string|bool|float) \w+/
java
  4 /^import (static )?(java|javax|org|com|jakarta|lombok|io|net)\.[\w.]+(\.\*)?;$/
  2 /^package [a-z][\w.]*;$/
  4 /\bpublic static void main ?\(String|\bpublic (sealed |final )?(record|interface|enum) \w+[(<]|\bthrow new \w+Exception\(/
  4 /\bSystem\.(out|err)\.print/
  3 /^\s*@(Override|Test|Autowired|RestController|GetMapping|Service|Entity|Bean|Nullable)\b/
  2 /^\s*(public|private|protected) (static |final |abstract )*(class|interface|enum|void|int|boolean|String|\w+<.*>|[A-Z]\w*) \w+/
  3 /\) throws \w+|\bprivate final |\bfinal \w+ \w+ = |\bextends \w+(<.*>)? implements |\bimplements \w+|\bString\[\]|<\w+ extends \w+>|, \w+ extends \w+>/
  3 /\b(Collectors\.|new (ArrayList|HashMap)<|Optional<|List<|\.stream\(\)|::get\w+|::new)/
  2 /^\s*for \(\w+(<\w+>)? \w+ : \w+|\bString \w+ ?[=;,)]|\bassert(Equals|True)\(/
kotlin
  4 /^\s*((public|private|internal|override|suspend|inline|operator) )*fun (<.*> )?[\w.<>?]+\([^)\n]*\)?( ?: ?\w+.*)?( ?[={].*)?$/
  4 /\bdata class \w+|\bsealed (interface|class) \w+|\blateinit var\b|\bcompanion object\b|\bwhen \(\w+\) \{/
  2 /^\s*(private |override |const )?va[lr] \w+( ?: ?[A-Z]\w*[<>?\w]*)? ?(=|by )/
  3 /\bval \w+: [A-Z]\w*\??[,)]|\?\.\w|\?: |\bit\.\w|\blistOf\(|\bmapOf\(|\bprintln\("/
  3 /^import (android|androidx|kotlin|kotlinx|io\.ktor|org|com|java)x?\.[\w.]+$/
  2 /^package [a-z][\w.]*$/
  4 /^\s*(kotlin\("\w+"\)|(test)?[iI]mplementation\("|mainClass\.set|id\(")|\b(Dispatchers\.\w+|coroutineScope|awaitAll\(\))/
  2 /^(repositories|dependencies|plugins|android) \{$|^\s*mavenCentral\(\)$/
swift
  4 /^import (SwiftUI|UIKit|Foundation|AppKit|Combine|CoreData|XCTest)$/
  4 /\bguard (let|var|\w).*|\bif let \w+|\bfunc \w+(<.*>)?\((_ )?\w+ ?\w*: ?\[?[A-Z]\w*\??/
  3 /^\s*((public|private|fileprivate|override|static|mutating|open|internal|@\w+) )*func \w+\(.*\)( async)?( throws)?( -> .*)? ?\{$/
  3 /^\s*@(State|Published|main|objc|IBOutlet|ObservedObject|Binding|Environment|escaping)\b|: some View\b/
  3 /^\s*(protocol|extension|struct|enum) \w+(: ?[\w, ]+)?( where .*)? \{/
  2 /^\s*(let|var) \w+: \[?[A-Z]\w*\]?\??|\\\(\w|\bnil\b|\$0\b|\btry (await )?\w|\bcase \.\w+/
  2 /\) -> \[?[A-Z]\w*\]?\?? \{|\) async throws|\{ get( set)? \}/
scala
  4 /^\s*(final )?case (class|object) \w+|^\s*sealed trait |\bobject \w+( extends \w+.*)?( \{|:)?$/
  3 /^\s*(override |private |implicit |lazy |final )*def \w+(\[.*\])?(\(.*\))*(: ?[\w[\], .]+)? ?= ?/
  2 /^\s*(implicit |lazy |private )?val \w+(: ?[A-Z][\w[\], ]*)? = /
  3 /\bmatch( \{|:)?$|^\s*case .* => |\bs"[^"\n]*\$|\bextends App\b|^import scala\.|\b_ => /
  4 /^\s*(libraryDependencies|scalaVersion|ThisBuild \/|name :=)|%% "/
  3 /^\s*(@main def|given \w+|extension \(|enum \w+:)|\bFuture\[|\bOption\[|\bList\[|\bSeq\[/
  4 /^\s*\} ?yield\b| = for \{$/
  2 /^import [\w.]+\.(_|\{.*\})$|^\s*trait \w+(\[.*\])?/
dart
  5 /^import '(package|dart):[\w/.]+';|^import '[\w/.]+\.dart';/
  3 /\b(StatelessWidget|StatefulWidget|BuildContext|Widget|setState|extends State<|runApp)\b/
  3 /\bFuture<.*> \w+\(.*\) async|\bfinal \w+ = |\bList<dynamic>|^\s*final \w+ \w+(, ?\w+)*;|\bconst [A-Z]\w*\(this\.|\blate final\b|\bfactory [A-Z]\w*(\.\w+)?\(|\boperator ?[+*=-]/
  2 /\bfinal (\w+ )?\w+(, \w+)*;|@override$|\bconst [A-Z]\w*\(|super\.key|\brequired this\.\w+|\(this\.\w+|, this\.\w+/
  2 /^void main\(.*\) ?(\{|=>|async)|\bprint\('|'[^'\n]*\$\w+|\bas List<|\bList<dynamic>|Map<String, dynamic>/
groovy
  5 /^\s*(pipeline|stages|steps|post) ?\{|^\s*(agent any|stage\(')|\bsh '|\bsh "/
  4 /^\s*(id|apply plugin:|implementation|testImplementation|compile|classpath|api|compileOnly|runtimeOnly) ['"]/
  3 /^\s*def \w+ = |\bprintln "|\.(each|collect|findAll) \{ ?(\w+ ->)?|\bit\.\w+/
  2 /^(plugins|repositories|dependencies|buildscript|android|task \w+.*) \{$|^(group|version|sourceCompatibility) = '|mavenCentral\(\)|mavenLocal\(\)|jcenter\(\)|^\s*assert |^rootProject\.name|^include '|^apply from:|^\s*url '|^task \w+/
go
  4 /^package \w+$/
  4 /^func (\(\w+ \*?\w+(\[.*\])?\) )?\w+(\[.*\])?\(.*\)? ?[^{\n]*\{$/
  3 /\bif err != nil \{|\berr :?= |, err :?= |\bnil\b/
  2 /\b\w+(, \w+)? := /
  3 /\bfmt\.(Print|Sprint|Fprint|Errorf)\w*\(|\b(defer|go) (func\(|\w+\.)|\bmake\((chan|map|\[\])|<-\s?\w|\bchan \w+/
  3 /^type \w+(\[.*\])? (struct|interface|func)\b|^import (\(|"[\w./-]+")$|\bfunc\(.*\) \{|\[\]\w+\{|^import \(\n/
  3 /^\s+\w+ +\S+ +\x60\w+:"[^\x60\n]*\x60$/
  2 /\brange \w|^var \w+ (sync\.\w+|\*?\w+)( =.*)?$|^\s*for (\w+ :=|\{)/
rust
  4 /^\s*(pub(\(\w+\))? )?(async )?(unsafe )?fn \w+(<.*>)?\([^)\n]*\)?( ?-> ?[^{]+)?( where .*)?( \{.*)?$/
  4 /\blet mut \w+|\bimpl(<.*>)? [\w:<>]+( for [\w:<>&]+)? \{|^\s*#!?\[(derive|cfg|test|allow|inline|tokio|serde|macro_use|feature)/
  4 /^\s*(pub )?use (std|crate|super|serde|tokio|self|\w+)::[\w:{}, *]+;/
  3 /\b(println|vec|format|panic|assert|assert_eq|eprintln|write|writeln|matches|todo)!\s*[([]/
  3 /&mut \w|\b\w+::<|\bmatch \w.* \{$|\w+\.unwrap\(|\.await\??|Some\(|\bOk\(|\bErr\(|Option<|Result<|\bVec<|&str\b|&self\b|[&<]'[a-z]\w*[ ,>]/
  3 /\(\w+: &(mut )?[A-Z]\w*|\bmatch [\w&*].* \{\n\s+\S.* => /
  2 /\bpub (struct|enum|trait|mod)\b|^\s*\w+: (u8|u32|u64|i32|i64|usize|f64|String|&str)\b|: f64|^mod \w+/
  1 /\blet \w+(: [\w<>]+)? = |\w+::\w+/
zig
  5 /@import\("|\bpub fn \w+\(.*\) !?\w+|\bfn \w+\(.*\) !\w+/
  3 /\b(comptime|usize|anytype|errdefer|orelse)\b|\btry \w|\[\]const u8|\.\{|\bcatch \|\w+\||\) \|\w+\| |^\s*defer \w/
  3 /\bconst \w+ = (struct|enum|union|packed|error)\b|^test "[^"]*" \{|: \*?\w+ = |\berror\.\w+|@\w+\(/
  2 /\bvar \w+: (u|i)\d+ = |^\s*const \w+ = /
d
  5 /^import std\.\w+( ?:.*)?;/
  3 /\b(writeln|writefln)\(|\bforeach ?\(|!\(|\bimmutable\b|\bauto \w+ = /
  2 /^void main\(|^module [\w.]+;/
pascal
  4 /^(program|unit) \w+;|^uses [\w., ]+;/i
  3 /^\s*(begin|end[.;])$/i
  3 /:= |\b(writeln|readln|inttostr)\b ?\(|^\s*(procedure|function|constructor|destructor) [\w.]+(\(.*\))?(: ?\w+)?;/i
  2 /^\s*\w+(, ?\w+)*: ?(integer|string|real|boolean|double|char|array.*);|^(interface|implementation|var|type)$|= class\(/i
fortran
  5 /^\s*implicit none\b|^\s*end (program|subroutine|function|do|module)\b|, ?intent\((in|out|inout)\)/i
  4 /^\s*(integer|real|character|logical|double precision|complex)(\([^)\n]*\))?(, ?\w+(\(.*\))?)* ?::/i
  3 /^\s*(program|subroutine|module|call) \w+|^\s*(print|write) ?(\*|\()|^\s*do \w+ ?= ?/i
vbnet
  4 /^\s*(Dim|ReDim) \w+(\(.*\))? As |^\s*End (Sub|Function|If|Module|Class|With)$/
  3 /^\s*((Public|Private|Friend|Shared) )*(Sub|Function|Module|Class|Property) \w+(\(.*\))?/
  3 /^\s*(Imports [A-Z][\w.]*|If .* Then|For Each .* In .*|Next( \w+)?|Else|Loop|Exit Sub|Set \w+ = .*|MsgBox .*|Option Explicit.*)$/
  2 /\bAs (String|Integer|Boolean|Object|Long|Worksheet)\b|\bByVal\b/
verilog
  5 /^\s*(endmodule|always(_ff|_comb)? ?@?|\x60timescale|initial begin)/
  3 /^\s*(input|output|inout|wire|reg|logic|assign|parameter) /
  3 /\bposedge\b|\bnegedge\b|\d+'[bdh][\da-fxz_]+|\$(display|finish|dumpfile|monitor)\b/i
  2 /^module \w+ ?(#?\(|;)|<= /
vhdl
  5 /^\s*(library ieee;|use ieee\.\w+|entity \w+ is|architecture \w+ of \w+ is|end (entity|architecture|process))/i
  3 /\bstd_logic(_vector)?\b|\bport ?\(|\bsignal \w+ ?:|\brising_edge\(/i
asm
  4 /^\s*(section|segment) \.\w+|^\s*(\.globl|\.global|global \w+$|extern \w+$|\.section|\.text|\.data|\.type|\.file|\.asciz|\.align|\.intel_syntax|bits \d+|org \w+)\b/
  3 /^\s*(\w+:\s+)?(mov[qlbwz]?\w?|push[ql]?|pop[ql]?|add[ql]?|sub[ql]?|xor[ql]?|cmp[ql]?|jmp|je|jne|jz|jnz|jg|jl|ble|bne|beq|bl|b|call|ret|lea[ql]?|int|syscall|inc|dec|ldr|str|stp|ldp|and|or|shl|shr|test|imul|nop|svc|li|lw|sw|la|ecall)(\s+[%$#\w[\].,*+:()@ -]+)?(\s*;.*)?$/
  2 /^[.\w]+:$|%r\w\w\b|\b(rax|rdi|rsi|eax|ebx|rsp|rbp|x29|sp)\b|\bd[bwdq] |\bequ\b/
wasm
  6 /^\s*\((module|func \$|export "|import "|memory )|\b(i32|i64|f64)\.(add|const|load|store|sub|mul)\b|\blocal\.get\b/
matlab
  4 /^\s*function (\[?[\w, ]+\]? = )?\w+\(.*\)$|^%+ |\b(clear all|close all|clc)\b/
  3 /\b(zeros|ones|linspace|xlabel|ylabel|fprintf|disp|numel|nargin|hold on|figure|inv|repmat|length|plot)\b ?[(;]?/
  1 /;$/
  2 /\.\*|\.\/|\.\^|\(:, ?\d?|\w' ?[*;]| \\ \w|^\s*end;?$|^\s*for \w+ = .*:.*$/
  2 /^\w+ = \[.*;.*\];?$|\.\.\.$|^x?y? ?= \[/
haskell
  4 /^\s*[a-z]\w*'? :: \S/
  3 /^import (qualified )?[A-Z][\w.]*( as [A-Z]\w*)?( hiding)?( ?\(.*\)?)?$/
  4 /^module [A-Z][\w.]*( ?\(.*\))? where$|^\{-# LANGUAGE|\bderiving ?\(?[A-Z]|^(data|newtype|instance|class|type) [A-Z(].*( where$|=|=>)/
  3 /^\w+ = do$|\bputStrLn\b|<\$>|<\*>|>>=|\bmapM_|\bforM_| \. \w+ \$|\\\w+ -> | \$ |^\s*where\b/
  2 /^[a-z]\w*( [\w()[\]:_]+)+ = |^\s*\| .* = |\botherwise\b|<- /
elm
  6 /^(port )?module [A-Z][\w.]* exposing \(|^import [A-Z][\w.]* exposing \(/
  4 /^type alias \w+ ?=|^[a-z]\w* : .*(->|Html|Decoder|Cmd|Sub)/
  2 /^[a-z]\w* : |^\s*[,{[] \w+ [:=]|^import (Html|Browser|Json\.\w+)|\bDecode\.|\bHtml (M|m)sg|^\s*(div|h1|button|text|span|ul) \[/
  2 /^\s*case \w+ of$|<\||\|>/
ocaml
  3 /^\s*let (rec )?\w+( [\w()~?:]+)* =( function)?$|^let \(\) =|^let open \w+/
  2 /^\s*let (rec )?\w+( [\w()~]+)* = .*( in)?$/
  3 /^\s*\| .* -> |\bmatch \w.* with$|^open [A-Z]\w*( ?!)?$|;;$| \^ | :: | [-+*/]\. /
  3 /\b(Printf\.printf|List\.(map|iter|fold_left)|string_of_int|print_endline)\b|: sig$|= struct$|\bmutable \w+ :|\bbegin match\b|^\s*\| \w+ of /
  2 /^(type|module|exception|val|external) \w+.*[=:]/
  4 /\.\([^()\n]+\) <- /
  2 /\(\*.*\*\)/
fsharp
  5 /^\s*\[<\w+.*>\]|\bprintfn? "|\blet! \w+|\breturn! |\bAsync\.\w+|^\s*async \{|\bSeq\.\w+|\buse!? \w+ = new/
  3 /\|> (List|Seq|Array|Option|Map|Async|printf)\w*|\bfun \w+ -> |^open System(\.\w+)*$|^\s*\| \w+ of \w+: /
  2 /^\s*let (mutable |rec |inline )?\w+( [\w()]+( ?: ?\w+\))?)* ?= ?|^\s*match \w+ with$|^\s*\| .* -> |^module [A-Z][\w.]*( =)?$/
  1 /^type \w+ ?=$|^namespace [A-Z][\w.]*$|\(\w+: \w+\)/
clojure
  5 /^\s*\((ns|defn-?|defmacro|defprotocol|defrecord|deftest|defmulti|defmethod) [\w.!?*-]+/
  4 /\((->>?|let \[|fn \[|if-let|when-let|doseq \[|for \[|loop \[|swap!|reset!|assoc|str\/|atom|require '|map #)/
  2 /#\(|\[\w+ :(as|refer) |\{:\w+|^\s*\(def \w/
commonlisp
  4 /^\s*\((defun|defvar|defparameter|defclass|defmethod|defgeneric|in-package|defpackage|setq|setf|require '|add-to-list|use-package|provide '|add-hook|defcustom)\b/
  2 /\((format t|let\*? \(\(|cond$|progn|lambda \(|loop for|car|cdr|cons|mapcar)|-\*- |^;;;/
  2 /:(initarg|accessor|initform|bind|ensure|hook)\b| '\(/
scheme
  4 /^\s*\(define[- ]?(struct |syntax |values )?\(?[\w!?*<>=/+-]+|^#lang \w+/
  2 /\((display|newline|let loop|lambda \(|call\/cc|cond$|begin$|set! |eq\? |null\? |car |cdr |printf )/
sql
  4 /\bSELECT\b[^\n]*\bFROM\b|\bINSERT INTO\b|\bCREATE (OR REPLACE )?(TABLE|VIEW|INDEX|UNIQUE|DATABASE|FUNCTION|TRIGGER|SCHEMA|EXTENSION|MATERIALIZED)\b|\bALTER TABLE\b|\bDROP (TABLE|INDEX|VIEW)\b|\bDELETE FROM\b|^\s*UPDATE \S+ SET\b|^(GRANT|REVOKE) [A-Z].* (ON|TO|FROM) |\bCREATE (USER|ROLE)\b|^EXPLAIN( ANALYZE)?$|^PRAGMA \w+|^TRUNCATE /
  4 /^\s*(select (\*|distinct |count\(|[\w."\x60]+( as \w+)?(, ?[^\n]*)?( from|$))|insert into \S+ ?(\(|values|select)|delete from \S+( where|;|$)|update \S+ set \w+ ?=|create (table|index|view|unique|database)\b|alter table \S+ (add|drop|alter|rename|modify)|drop table|with \w+ as \()/i
  3 /^\s*(FROM|WHERE|ORDER BY|GROUP BY|LEFT JOIN|INNER JOIN|JOIN|HAVING|LIMIT|VALUES|UNION( ALL)?|PRIMARY KEY|FOREIGN KEY|SELECT|BEGIN;|COMMIT;|SET) ?/
  2 /^\s*(from \w+|where [\w.]+ (=|<|>|like|in|between|is)|order by \w|group by \w|(left |inner |outer )?join \w|having \w|limit \d+;?$)/i
  2 /\b(NOT NULL|PRIMARY KEY|VARCHAR|INTEGER|REFERENCES|AUTO_?INCREMENT|TIMESTAMPTZ?|NUMERIC|BIGINT|SERIAL|JSONB|IS NULL|OVER \(|PARTITION BY|count\(\*\)|sum\()/i
  4 /\bLANGUAGE (plpgsql|sql)\b|\blanguage plpgsql\b|\bRETURNS (trigger|void|SETOF \w|TABLE ?\()|\bAS \$\w*\$$|\breturns \w+ as \$/
  1 /^--|^\s*\(\d+, '.*\)[,;]$/
dockerfile
  4 /^FROM [\w./:{}$@-]+( AS \w+)?$/i
  3 /^(RUN|COPY|CMD|WORKDIR|ENTRYPOINT|EXPOSE|ENV|ARG|LABEL|ADD|USER|VOLUME|HEALTHCHECK|SHELL|ONBUILD) \S/
makefile
  5 /^\.PHONY ?:|^\.(SUFFIXES|DEFAULT|PRECIOUS|ONESHELL):/
  3 /^[\w./%$()-]+( [\w./%$()-]+)* ?:(?![=:])[^=\n"'{;]*\n\t/
  3 /\$\([A-Z_]+\)|\$[@<^*]|\$\((shell|wildcard|patsubst|subst|foreach|call|addprefix|dir) |^(ifeq|ifneq|ifdef|ifndef|endif|-include|define|endef)\b/
  2 /^[A-Z_][A-Z0-9_]* ?[:?+]?= ?/
  3 /^[A-Za-z_][\w-]*:( [\w./-]+)*\n(\t| {2,8})(@|-)?(npm|pip|python|go|docker|rm|echo|cargo|gcc|make|node|npx|git|cp|mkdir|\$\()/
cmake
  5 /^\s*(cmake_minimum_required|add_executable|add_library|target_link_libraries|target_include_directories|find_package|add_subdirectory|FetchContent_\w+|include_directories|set_target_properties|target_compile_\w+|enable_testing|add_test|configure_file|project)\s*\(/i
  3 /^\s*(set|option|if|elseif|else|endif|foreach|endforeach|function|endfunction|message|list|install|include|macro)\s*\(/i
  2 /\b(PUBLIC|PRIVATE|INTERFACE|REQUIRED|DESTINATION|VERSION)\b|\$\{CMAKE_\w+\}|\bCMAKE_\w+/
nginx
  4 /^\s*(server|http|events|upstream \S+|location (=|~\*?|\^~)? ?\S+|stream) \{$/
  4 /^\s*(listen|server_name|proxy_pass|proxy_set_header|root|index|ssl_certificate(_key)?|return \d{3}|rewrite|try_files|access_log|error_log|add_header|worker_processes|worker_connections|sendfile|gzip|keepalive|expires|include|fastcgi_\w+|client_max_body_size|server) [^{}=;]+;/
  2 /\$(host|uri|request_uri|remote_addr|scheme|http_\w+|proxy_\w+)\b/
hcl
  5 /^\s*(resource|data) "[\w-]+" "[\w-]+" \{|^\s*(variable|output|module|provider|backend|dynamic) "[\w-]+" \{|^(terraform|locals) \{$/
  2 /^\s*\w+ += (".*"|\d+|true|false|\[.*|\{.*|(var|local|module|data|each|aws_\w+)\..*|string|number|list\(.*|bool)$/
  3 /\$\{(var|local|module|data|each)\.|\b(var|local|module)\.\w+|\bfor_each\b|= "~> /
  1 /^\s*\w+ \{$/
protobuf
  6 /^syntax = "proto[23]";|^\s*rpc \w+ ?\(.*\) returns ?\(/
  4 /^\s*(repeated |optional |required )?(string|int32|int64|uint32|uint64|bool|bytes|double|float|map<.*>|[A-Z]\w*) \w+ = \d+( \[.*\])?;/
  3 /^\s*(message|service|enum|oneof) \w+ \{$|^option \w+ = |^import "[\w/.]+\.proto";/
  1 /^\s*[A-Z_]+ = \d+;|^package [\w.]+;/
latex
  5 /\\(documentclass|usepackage|section|subsection|chapter|maketitle|newcommand|item|label|cite|ref|textbf|emph|title|author)\b\*?[[{ ~_\n]?|\\(begin|end)\{(?!(aligned|align|[pbvB]?matrix|cases|array|split|gathered|equation)\b)/
  3 /\\(begin|end)\{(aligned|align|[pbvB]?matrix|cases|array|split|gathered|equation)\b/
  2 /\\(frac|sum|int|text|sqrt|left|right)\b/
  2 /\$[^$\n]*\\[a-z]+[^$\n]*\$|\\\\$/
nix
  4 /\bpkgs\.\w+|\bwith (pkgs|lib);|\bmkDerivation\b|\bmkShell\b|\bnixpkgs\b|\bstdenv\b|\bfetch(url|FromGitHub)\b/
  3 /^\{ ?[\w, ?.]+(\.\.\.)? ?\}:|= \{ self, |^\s*inherit [\w ()]+;|\blet$|^\s*in( \{)?$|\brec \{/
  2 /^\s*[\w.-]+ = .*;$|^\s*[\w.]+ = \{$/
markdown
  3 /^#{2,6} \S|^# \S.*\n\n/
  1 /^# \S.*\n[^#\n]/
  5 /^(\x60{3}|~{3})[\w-]*$/
  3 /!?\[[^\]\n]*\]\([^)\s]+\)/
  2 /\*\*[^*\s][^*\n]*\*\*|\b__[^_\n ]+__ |(^|\s)\*[^*\s][^*\n]*\*(?=[\s.,])|\x60[^\x60\n]+\x60/
  1.5 /^ {0,3}[-*+] \S/
  2 /^\s*[-*+] \[[ xX]\] |^> \S|^\d+\. \*\*/
  4 /^\|.*\|$\n\|?[\s:|-]+\|[\s:|-]*$/
  1 /^\d+\. \S/
  2 /^[A-Z].*\n(={4,}|-{4,})$/
`

export const SIGNS: readonly (readonly [language: string, signs: readonly Sign[]])[] = TABLE.trim()
  .split(/\n(?=\w)/)
  .map((entry) => {
    const [language = '', ...lines] = entry.split('\n')
    const signs = lines.map((line): Sign => {
      const [, weight, pattern = '', flag = ''] = /^ +([-\d.]+) \/(.*)\/(i?)$/.exec(line) ?? []
      return [Number(weight), new RegExp(pattern, `gm${flag}`)]
    })
    return [language, signs]
  })
