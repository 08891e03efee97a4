import type { Features } from './feature.ts'

/** Functional languages and Lisps. */
export const FUNCTIONAL: Features = {
  haskell: [
    [4, /^\s*[a-z]\w*'? :: \S/gm],
    [3, /^import (qualified )?[A-Z][\w.]*( as [A-Z]\w*)?( hiding)?( ?\(.*\)?)?$/gm],
    [
      4,
      /^module [A-Z][\w.]*( ?\(.*\))? where$|^\{-# LANGUAGE|\bderiving ?\(?[A-Z]|^(data|newtype|instance|class|type) [A-Z(].*( where$|=|=>)/gm,
    ],
    [3, /^\w+ = do$|\bputStrLn\b|<\$>|<\*>|>>=|\bmapM_|\bforM_| \. \w+ \$|\\\w+ -> | \$ |^\s*where\b/gm],
    [2, /^[a-z]\w*( [\w()[\]:_]+)+ = |^\s*\| .* = |\botherwise\b|<- /gm],
  ],
  elm: [
    [6, /^(port )?module [A-Z][\w.]* exposing \(|^import [A-Z][\w.]* exposing \(/gm],
    [4, /^type alias \w+ ?=|^[a-z]\w* : .*(->|Html|Decoder|Cmd|Sub)/gm],
    [
      2,
      /^[a-z]\w* : |^\s*[,{[] \w+ [:=]|^import (Html|Browser|Json\.\w+)|\bDecode\.|\bHtml (M|m)sg|^\s*(div|h1|button|text|span|ul) \[/gm,
    ],
    [2, /^\s*case \w+ of$|<\||\|>/gm],
  ],
  ocaml: [
    [3, /^\s*let (rec )?\w+( [\w()~?:]+)* =( function)?$|^let \(\) =|^let open \w+/gm],
    [2, /^\s*let (rec )?\w+( [\w()~]+)* = .*( in)?$/gm],
    [3, /^\s*\| .* -> |\bmatch \w.* with$|^open [A-Z]\w*( ?!)?$|;;$| \^ | :: | [-+*/]\. /gm],
    [
      3,
      /\b(Printf\.printf|List\.(map|iter|fold_left)|string_of_int|print_endline)\b|: sig$|= struct$|\bmutable \w+ :|\bbegin match\b|^\s*\| \w+ of /gm,
    ],
    [2, /^(type|module|exception|val|external) \w+.*[=:]/gm],
    [2, /\(\*.*\*\)/gm],
  ],
  fsharp: [
    [
      5,
      /^\s*\[<\w+.*>\]|\bprintfn? "|\blet! \w+|\breturn! |\bAsync\.\w+|^\s*async \{|\bSeq\.\w+|\buse!? \w+ = new/gm,
    ],
    [
      3,
      /\|> (List|Seq|Array|Option|Map|Async|printf)\w*|\bfun \w+ -> |^open System(\.\w+)*$|^\s*\| \w+ of \w+: /gm,
    ],
    [
      2,
      /^\s*let (mutable |rec |inline )?\w+( [\w()]+( ?: ?\w+\))?)* ?= ?|^\s*match \w+ with$|^\s*\| .* -> |^module [A-Z][\w.]*( =)?$/gm,
    ],
    [1, /^type \w+ ?=$|^namespace [A-Z][\w.]*$|\(\w+: \w+\)/gm],
  ],
  clojure: [
    [5, /^\s*\((ns|defn-?|defmacro|defprotocol|defrecord|deftest|defmulti|defmethod) [\w.!?*-]+/gm],
    [
      4,
      /\((->>?|let \[|fn \[|if-let|when-let|doseq \[|for \[|loop \[|swap!|reset!|assoc|str\/|atom|require '|map #)/gm,
    ],
    [2, /#\(|\[\w+ :(as|refer) |\{:\w+|^\s*\(def \w/gm],
  ],
  commonlisp: [
    [
      4,
      /^\s*\((defun|defvar|defparameter|defclass|defmethod|defgeneric|in-package|defpackage|setq|setf|require '|add-to-list|use-package|provide '|add-hook|defcustom)\b/gm,
    ],
    [2, /\((format t|let\*? \(\(|cond$|progn|lambda \(|loop for|car|cdr|cons|mapcar)|-\*- |^;;;/gm],
    [2, /:(initarg|accessor|initform|bind|ensure|hook)\b| '\(/gm],
  ],
  scheme: [
    [4, /^\s*\(define[- ]?(struct |syntax |values )?\(?[\w!?*<>=/+-]+|^#lang \w+/gm],
    [
      2,
      /\((display|newline|let loop|lambda \(|call\/cc|cond$|begin$|set! |eq\? |null\? |car |cdr |printf )/gm,
    ],
  ],
}

export const SCRIPTING: Features = {
  python: [
    [4, /^\s*(async )?def \w+\([^)\n]*\)?( ?-> ?[\w[\], .|"]+)?:?$/gm],
    [3, /^\s*(async )?def \w+\($/gm],
    [4, /^from [\w.]+ import [\w(*]/gm],
    [2, /^import [a-z_][\w.]*( as \w+)?(, ?[a-z_]\w*)*$/gm],
    [2, /^\s*class \w+(\([\w., =]*\))?:$/gm],
    [2, /^\s*(if|elif|for|while|with|except|else|try|finally)\b[^{}\n]*:$/gm],
    [2, /^\s*for \w+(, ?\w+)* in [^{\n]+:$/gm],
    [3, /\bself\.\w+|\(self[,)]/gm],
    [3, /\b__\w+__\b/gm],
    [3, /^\s*(raise \w+|except( \w+)?( as \w+)?:|elif )/gm],
    [2, /\bprint\(|\bf"[^"\n]*\{|\bf'[^'\n]*\{/gm],
    [1, /\b(None|True|False)\b|\blambda \w+:|\bnot in\b|\bis not\b/gm],
    [2, /^\s*("""|''')|^\s*@\w+[\w.]*(\(.*\))?$/gm],
    [2, /\b(for \w+ in \w+[^\n{}]*\)|len\(|range\(|int\(|str\()/gm],
    [2, /^\w+ = (pd|np|plt|df)\./gm],
  ],
  ruby: [
    [3, /^\s*def (self\.)?[a-z_]\w*[?!=]?(\(.*\)| \w+)?$/gm],
    [2, /^\s*end$/gm],
    [3, /\bdo \|[\w, *&()]+\|$|\{ ?\|[\w, ]+\| /gm],
    [
      3,
      /^\s*(attr_(accessor|reader|writer)|require_relative|include|extend|before_action|validates|belongs_to|has_many|scope) /gm,
    ],
    [2, /^\s*require ['"]/gm],
    [2, /^\s*class [A-Z][\w:]*( < [A-Z][\w:]*)?$|^\s*module [A-Z][\w:]*$/gm],
    [2, /^\s*puts [^(]|^\s*p \w|\.(each|map|nil\?|empty\?|select|times)\b ?(do|\{|$|\))/gm],
    [2, /@\w+ (\|\|)?= |\b(unless|elsif|rescue|ensure) |:\w+ => /gm],
    [2, /"[^"\n]*#\{[^}\n]*\}/gm],
    [3, /^\s*(gem|source|group) ['":]\w?/gm],
    [3, /^\s*(describe|context|it|let|RSpec\.describe)[ (]["':\w].* (do|\{)( |$)/gm],
    [2, /\b(described_class|expect\(|to eq\()/gm],
  ],
  crystal: [
    [4, /^\s*(property|getter|setter)\?? {1,2}\w+ : [A-Z]/gm],
    [4, /^\s*def \w+\(.*\w+ : [A-Z]\w*.*\)( : [A-Z]\w*)?$/gm],
    [4, /\) : (Nil|Int32|String|Bool)$|\bHTTP::Server\.new|^\s*require "(http|json|socket|spec)(\/\w+)?"$/gm],
    [4, /@\w+ : [A-Z]\w*|\b(Int32|Int64|Float64)\b/gm],
  ],
  elixir: [
    [5, /^\s*defmodule [A-Z][\w.]* do$/gm],
    [4, /^\s*(def|defp|defmacro) \w+[?!]?(\(.*\))?( when .*)?(,? do:?| do)\b/gm],
    [3, /^\s*\|> [\w.]+[?!]?\(?/gm],
    [3, /^\s*@(impl|moduledoc|doc|spec|type) /gm],
    [
      3,
      /\{:(ok|error|reply|noreply), |\b(IO\.(puts|inspect)|Enum\.\w+|GenServer\.\w+|Stream\.\w+|String\.\w+)\(?/gm,
    ],
    [2, /^\s*(use|alias|import) [A-Z][\w.]+(, .*)?$|%\{\w+: |&\w+\/\d|fn .* -> /gm],
    [3, /^\s*(plug|pipe_through|pipeline|test|describe|scope) [:"].* ?(do|\w)$/gm],
  ],
  erlang: [
    [5, /^-(module|export|behaviou?r|record|include|include_lib|spec|define|type)\(/gm],
    [3, /^[a-z]\w*\([^)\n]*\)( when .*)? ->/gm],
    [2, /\b(fun\(|receive$|end\.$|end,$)|[a-z]\w*:[a-z]\w*\(/gm],
    [2, /\?[A-Z]{2,}|! ?\{|\{ok, [A-Z]|=:=|=\/=|\bio:format\(/gm],
  ],
  lua: [
    [4, /^\s*local function \w+|^\s*local \w+(, ?\w+)* = (require|\{|function|setmetatable)/gm],
    [2, /^\s*local \w+/gm],
    [2, /^\s*function [\w.:]+\([^)\n]*\)$/gm],
    [2, /\bthen$|^\s*end[,)]?$|^\s*elseif .* then/gm],
    [
      3,
      /\b(ipairs|pairs|setmetatable|table\.insert|string\.(format|gmatch|gsub|sub))\(|~= | \.\. |__index/gm,
    ],
    [2, /\bnil\b|^\s*for \w+(, ?\w+)* (in|=) .* do$|^\s*repeat$|^\s*until /gm],
    [3, /\bvim\.(opt|keymap|g|api|cmd|fn)\b|\blove\.\w+|^--\[\[/gm],
    [1, /^\s*--[ -]/gm],
  ],
  perl: [
    [5, /^use (strict|warnings|utf8|v5|feature|lib|parent|base)\b/gm],
    [4, /^\s*(my|our|local) (\(?[$@%]\w+|\([$@%])/gm],
    [4, /^\s*sub \w+ ?\{|\bshift;$|\bbless\b|@_\b|\$_\b|@\{ ?\$/gm],
    [3, /=~ ?(m|s|tr|y)?[/{|]|\$\w+->\{|\{\$\w+\}|\bqw[(/]/gm],
    [2, /\b(chomp|elsif|unless|foreach my|print STDERR|die|push @)\b/gm],
    [3, /^package [\w:]+;$|^1;$|^__END__$|^=(head1|pod|cut)/gm],
  ],
  php: [
    [8, /<\?(php|=)/gm],
    [3, /^\s*(public|private|protected)?\s*(static )?function \w*\([^)\n]*\$\w+|^function \w+\(\)\s*\{/gm],
    [3, /\$this->\w+|\$\w+->\w+/gm],
    [2, /^\s*\$\w+ (\.|\?\?)?= .*;$/gm],
    [2, /^\s*echo .*;$|\$_(GET|POST|SERVER|SESSION)\b/gm],
    [3, /foreach ?\(\$?\w.* as \$\w+|\barray\(|=> ?['"$\w]|\bisset\(|\bempty\(\$/gm],
    [2, /^use [A-Z]\w*(\\\w+)+;$|^namespace [A-Z]\w*(\\\w+)*;$/gm],
    [3, /\b(wp_|add_action|add_filter|get_template|esc_html|__\()\w*/gm],
    [2, /\bnew [A-Z]\w*\(.*\$|\$\w+ ?\. ?'|' ?\. ?\$\w+/gm],
  ],
  r: [
    [4, /^\s*[\w.]+ <- |<<- /gm],
    [4, /<- function\(|%>%|%in%|\|>$/gm],
    [3, /^(library|require|source|install\.packages)\(["\w.]+\)/gm],
    [
      3,
      /\b(data\.frame|ggplot|aes|geom_\w+|seq_along|seq_len|sapply|lapply|stringsAsFactors|na\.rm|read\.csv|tibble|mutate|summarise|lm)\b ?[(=]/gm,
    ],
    [2, /\bc\([\d"]|\b(TRUE|FALSE|NA|NULL)\b/gm],
    [1, /\w\$\w+|\bpaste0?\(|\bcat\(/gm],
  ],
  julia: [
    [3, /^(using|import) [A-Z]\w*(: ?\w+)?(, ?[A-Z]\w*)*$/gm],
    [3, /^\s*function \w+[!]?\(.*\)(::\w+)?$/gm],
    [
      3,
      /::(Int|Float64|String|Int64|Vector|Any|Bool|Array|Matrix|AbstractString)\b|\b(mutable )?struct \w+( ?<: ?\w+)?$|<:/gm,
    ],
    [2, /^\s*end$/gm],
    [
      3,
      /^\s*@(time|show|test|assert|testset|inbounds|benchmark|threads) |\bprintln\("[^"\n]*\$|\babstract type\b| ÷ |\w \.[*/+^-] /gm,
    ],
    [2, /^\w+\([^)\n]*\) = /gm],
    [3, /^(export|module) \w+(, ?\w+)*$|\b(push!|sort!|append!|DataFrame)\(/gm],
  ],
  tcl: [
    [4, /^\s*proc [\w:]+ \{[^}\n]*\} \{$/gm],
    [3, /^\s*set \w+ (\[|"|\$|\{|\d)/gm],
    [3, /^\s*(puts|foreach \w+|package require|namespace eval|incr|lappend|spawn|expect|send|interact)\b/gm],
    [
      3,
      /\[(string|list|llength|lindex|expr|dict|format|info|lappend|lrange|clock) |^\s*(variable|upvar|uplevel|global|unset|bind|catch|namespace) [\w:{.]|\$\w+\(-?\w+\)|(^|[ [])::?[a-z]\w*::\w+|\bttk?::\w+/gm,
    ],
    [1, /^\s*\} else(if .*)? \{$|^\s*return \$\w+$/gm],
  ],
  bash: [
    [3, /^\s*(if|elif|while|until) (\[\[? |! |\(\(|test )/gm],
    [3, /; ?(then|do)$|^\s*(then|do|fi|done|esac)\b|; ?(do|then) .*; ?(done|fi)/gm],
    [3, /^\s*(export|readonly|local|declare|alias|unset|source|trap|shift|eval)( -\w+)? \w*=?["'$\w(]/gm],
    [2, /^\s*echo( -\w+)? (["'$]|\w)/gm],
    [3, /"?\$\{?[A-Z_@#*?!]\w*\}?"?|\$\([a-z]\w* ?(?!shell)|\$[0-9@#?]/gm],
    [2, /^\w+=("|'|\$|`|[\w/.]+$)|^\s*\w+\(\) ?\{$/gm],
    [3, /^\s*(set -[eux]|case .* in$|getopts |exec |read -\w)|\) .*;;$|;;$/gm],
    [
      4,
      /^(\$ |# )?(sudo |time |nohup )?(apt(-get)?|yum|dnf|brew|npm|npx|pnpm|yarn|pip3?|cargo|docker(-compose)?|kubectl|helm|git|systemctl|journalctl|curl|wget|ssh|scp|rsync|chmod|chown|mkdir|cd|cp|mv|rm|ln|tar|grep|sed|awk|find|xargs|ls|cat|tail|head|ps|kill|make|node|python3?|go|openssl|ffmpeg|psql|mysql|redis-cli|aws|gcloud|terraform|ansible|certbot|useradd|crontab|nginx|sh|bash|du|df|lsof|jq|tee|source|touch|unzip|gzip) (-{1,2}[A-Za-z]|["'$~./*{]|[\w@.:/-]+( |$))/gm,
    ],
    [2, / (\|\||&&|\||2?>>?|2>&1|<<-?) ?(["'\w/$&.]|$)/gm],
    [3, /\| ?(sudo|sort|uniq|grep|awk|sed|head|tail|xargs|wc|tr|cut|bash|sh|tee|less|jq)\b/gm],
    [2, / -{1,2}[a-z][\w-]*(?=[ =\n]|$)/gm],
    [3, /^for \w+ in .*; ?do\b|^\s*for \w+ in [^:{(\n]*$/gm],
  ],
  fish: [
    [4, /^\s*set -[gUxlae]+ \w+/gm],
    [4, /\bstatus (is-interactive|--is)|\$argv\b|^\s*(abbr|fish_\w+|funced|funcsave) |--description "/gm],
    [3, /^\s*(if|while) (test|status|set -q|not|command)\b|^\s*(and|or|not) \w|^\s*end$/gm],
    [3, /^\s*function \w[\w-]*( --?\w.*)?$|^for \w+ in [^:{;]+$/gm],
    [2, /\(\w+ \$[^)\n]*\)|\bstring (split|match|replace|join)\b/gm],
  ],
  powershell: [
    [
      4,
      /\b(Get|Set|New|Remove|Add|Write|Read|Import|Export|Invoke|Start|Stop|Restart|Select|Where|ForEach|Sort|Out|Test|ConvertTo|ConvertFrom|Format|Enable|Disable|Install|Join|Split|Measure|Group|Copy|Move|Clear|Update|Register|Connect|Compare|Resolve)-[A-Z]\w+/gm,
    ],
    [3, /\$(_|PSItem|env:\w+|PSScriptRoot|ErrorActionPreference|null|true|false|PSVersionTable)\b/gm],
    [3, /\s-(eq|ne|lt|gt|le|ge|like|notlike|match|notmatch|contains|and|or|not|join|split|replace) /gm],
    [3, /^\s*(param ?\(|\[CmdletBinding|\[Parameter)|^\s*\[(string|int|switch|bool|datetime)\]\s*\$/gim],
    [2, /^\s*\$\w+ = (?!.*;$)/gm],
    [2, / -[A-Z][a-z]\w+( |$)|@\{|@\(|^function [A-Z]\w+-[A-Z]/gm],
    [2, /\b(foreach|if|elseif) \(\$\w+.*\) ?\{$/gm],
  ],
  batch: [
    [6, /^@?echo off\b/gim],
    [
      4,
      /^\s*(rem |goto :?\w|setlocal|endlocal|pause$|if (not )?(exist|errorlevel|defined|"%)|exit \/b|call :\w|for \/[flrd] |@(rem|set|if|for|call|cd|title|start)\b)/gim,
    ],
    [3, /%[A-Z_]\w*%|%~\w+|%%~?[a-z]\b|"%\d"/gim],
    [3, /^:\w+$|^set (\/[ap] )?"?\w+=/gim],
    [2, /\b[A-Z]:\\|\\\w+\.(exe|bat|cmd)\b/gim],
  ],
  coffeescript: [
    [4, /^\s*[\w.@]+ ?[=:] ?(\([^)\n]*\) ?)?[-=]>( |$)/gm],
    [3, /\b(unless|isnt) \w|^\s*\w+: \(.*\) ->|\(@\w+|, @\w+|\bconstructor: /gm],
    [2, /"[^"\n]*#\{|^\s*class \w+( extends \w+)?$|\bfor \w+ in [^:{]*$|\[\d+\.\.\.?\w+\]/gm],
  ],
}
