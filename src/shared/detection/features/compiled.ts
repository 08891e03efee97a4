import type { Features } from './feature.ts'

/** Other compiled languages, hardware descriptions and assembly. */
export const COMPILED: Features = {
  go: [
    [4, /^package \w+$/gm],
    [4, /^func (\(\w+ \*?\w+(\[.*\])?\) )?\w+(\[.*\])?\(.*\)? ?[^{\n]*\{$/gm],
    [3, /\bif err != nil \{|\berr :?= |, err :?= |\bnil\b/gm],
    [2, /\b\w+(, \w+)? := /gm],
    [
      3,
      /\bfmt\.(Print|Sprint|Fprint|Errorf)\w*\(|\b(defer|go) (func\(|\w+\.)|\bmake\((chan|map|\[\])|<-\s?\w|\bchan \w+/gm,
    ],
    [
      3,
      /^type \w+(\[.*\])? (struct|interface|func)\b|^import (\(|"[\w./-]+")$|\bfunc\(.*\) \{|\[\]\w+\{|^import \(\n/gm,
    ],
    [2, /\brange \w|^var \w+ (sync\.\w+|\*?\w+)( =.*)?$|^\s*for (\w+ :=|\{)/gm],
  ],
  rust: [
    [
      4,
      /^\s*(pub(\(\w+\))? )?(async )?(unsafe )?fn \w+(<.*>)?\([^)\n]*\)?( ?-> ?[^{]+)?( where .*)?( \{.*)?$/gm,
    ],
    [
      4,
      /\blet mut \w+|\bimpl(<.*>)? [\w:<>]+( for [\w:<>&]+)? \{|^\s*#!?\[(derive|cfg|test|allow|inline|tokio|serde|macro_use|feature)/gm,
    ],
    [4, /^\s*(pub )?use (std|crate|super|serde|tokio|self|\w+)::[\w:{}, *]+;/gm],
    [3, /\b(println|vec|format|panic|assert|assert_eq|eprintln|write|writeln|matches|todo)!\s*[([]/gm],
    [
      3,
      /&mut \w|\b\w+::<|\bmatch \w.* \{$|\w+\.unwrap\(|\.await\??|Some\(|\bOk\(|\bErr\(|Option<|Result<|\bVec<|&str\b|&self\b|[&<]'[a-z]\w*[ ,>]/gm,
    ],
    [
      2,
      /\bpub (struct|enum|trait|mod)\b|^\s*\w+: (u8|u32|u64|i32|i64|usize|f64|String|&str)\b|: f64|^mod \w+/gm,
    ],
    [1, /\blet \w+(: [\w<>]+)? = |\w+::\w+/gm],
  ],
  zig: [
    [5, /@import\("|\bpub fn \w+\(.*\) !?\w+|\bfn \w+\(.*\) !\w+/gm],
    [
      3,
      /\b(comptime|usize|anytype|errdefer|orelse)\b|\btry \w|\[\]const u8|\.\{|\bcatch \|\w+\||\) \|\w+\| |^\s*defer \w/gm,
    ],
    [
      3,
      /\bconst \w+ = (struct|enum|union|packed|error)\b|^test "[^"]*" \{|: \*?\w+ = |\berror\.\w+|@\w+\(/gm,
    ],
    [2, /\bvar \w+: (u|i)\d+ = |^\s*const \w+ = /gm],
  ],
  d: [
    [5, /^import std\.\w+( ?:.*)?;/gm],
    [3, /\b(writeln|writefln)\(|\bforeach ?\(|!\(|\bimmutable\b|\bauto \w+ = /gm],
    [2, /^void main\(|^module [\w.]+;/gm],
  ],
  pascal: [
    [4, /^(program|unit) \w+;|^uses [\w., ]+;/gim],
    [3, /^\s*(begin|end[.;])$/gim],
    [
      3,
      /:= |\b(writeln|readln|inttostr)\b ?\(|^\s*(procedure|function|constructor|destructor) [\w.]+(\(.*\))?(: ?\w+)?;/gim,
    ],
    [
      2,
      /^\s*\w+(, ?\w+)*: ?(integer|string|real|boolean|double|char|array.*);|^(interface|implementation|var|type)$|= class\(/gim,
    ],
  ],
  fortran: [
    [
      5,
      /^\s*implicit none\b|^\s*end (program|subroutine|function|do|module)\b|, ?intent\((in|out|inout)\)/gim,
    ],
    [
      4,
      /^\s*(integer|real|character|logical|double precision|complex)(\([^)\n]*\))?(, ?\w+(\(.*\))?)* ?::/gim,
    ],
    [3, /^\s*(program|subroutine|module|call) \w+|^\s*(print|write) ?(\*|\()|^\s*do \w+ ?= ?/gim],
  ],
  vbnet: [
    [4, /^\s*(Dim|ReDim) \w+(\(.*\))? As |^\s*End (Sub|Function|If|Module|Class|With)$/gm],
    [3, /^\s*((Public|Private|Friend|Shared) )*(Sub|Function|Module|Class|Property) \w+(\(.*\))?/gm],
    [
      3,
      /^\s*(Imports [A-Z][\w.]*|If .* Then|For Each .* In .*|Next( \w+)?|Else|Loop|Exit Sub|Set \w+ = .*|MsgBox .*|Option Explicit.*)$/gm,
    ],
    [2, /\bAs (String|Integer|Boolean|Object|Long|Worksheet)\b|\bByVal\b/gm],
  ],
  verilog: [
    [5, /^\s*(endmodule|always(_ff|_comb)? ?@?|`timescale|initial begin)/gm],
    [3, /^\s*(input|output|inout|wire|reg|logic|assign|parameter) /gm],
    [3, /\bposedge\b|\bnegedge\b|\d+'[bdh][\da-fxz_]+|\$(display|finish|dumpfile|monitor)\b/gim],
    [2, /^module \w+ ?(#?\(|;)|<= /gm],
  ],
  vhdl: [
    [
      5,
      /^\s*(library ieee;|use ieee\.\w+|entity \w+ is|architecture \w+ of \w+ is|end (entity|architecture|process))/gim,
    ],
    [3, /\bstd_logic(_vector)?\b|\bport ?\(|\bsignal \w+ ?:|\brising_edge\(/gim],
  ],
  asm: [
    [
      4,
      /^\s*(section|segment) \.\w+|^\s*(\.globl|\.global|global \w+$|extern \w+$|\.section|\.text|\.data|\.type|\.file|\.asciz|\.align|\.intel_syntax|bits \d+|org \w+)\b/gm,
    ],
    [
      3,
      /^\s*(\w+:\s+)?(mov[qlbwz]?\w?|push[ql]?|pop[ql]?|add[ql]?|sub[ql]?|xor[ql]?|cmp[ql]?|jmp|je|jne|jz|jnz|jg|jl|ble|bne|beq|bl|b|call|ret|lea[ql]?|int|syscall|inc|dec|ldr|str|stp|ldp|and|or|shl|shr|test|imul|nop|svc|li|lw|sw|la|ecall)(\s+[%$#\w[\].,*+:()@ -]+)?(\s*;.*)?$/gm,
    ],
    [2, /^[.\w]+:$|%r\w\w\b|\b(rax|rdi|rsi|eax|ebx|rsp|rbp|x29|sp)\b|\bd[bwdq] |\bequ\b/gm],
  ],
  wasm: [
    [
      6,
      /^\s*\((module|func \$|export "|import "|memory )|\b(i32|i64|f64)\.(add|const|load|store|sub|mul)\b|\blocal\.get\b/gm,
    ],
  ],
  matlab: [
    [4, /^\s*function (\[?[\w, ]+\]? = )?\w+\(.*\)$|^%+ |\b(clear all|close all|clc)\b/gm],
    [
      3,
      /\b(zeros|ones|linspace|xlabel|ylabel|fprintf|disp|numel|nargin|hold on|figure|inv|repmat|length|plot)\b ?[(;]?/gm,
    ],
    [1, /;$/gm],
    [2, /\.\*|\.\/|\.\^|\(:, ?\d?|\w' ?[*;]| \\ \w|^\s*end;?$|^\s*for \w+ = .*:.*$/gm],
    [2, /^\w+ = \[.*;.*\];?$|\.\.\.$|^x?y? ?= \[/gm],
  ],
}
