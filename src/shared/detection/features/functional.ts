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
