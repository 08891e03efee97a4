import type { Features } from './feature.ts'

/** Languages with the syntax of C and classes or structs. */
export const C_FAMILY: Features = {
  c: [
    [4, /^\s*#\s*include\s*[<"][\w./+-]+[>"]/gm],
    [3, /^\s*#\s*(define \w|ifn?def |if defined|undef |pragma |endif$)/gm],
    [
      3,
      /^(static |extern |inline |const |unsigned |signed )*(int|void|char|long|double|float|size_t|bool|struct \w+|u?int\d+_t)[ *]+\w+\([^;{}]*\)?\s*[{;]?$/gm,
    ],
    [3, /\b(printf|malloc|free|sizeof|memcpy|memset|strlen|strcmp|fprintf|scanf)\s*\(/gm],
    [
      2,
      /^\s*(const |unsigned |struct )*(int|char|float|double|long|short|size_t|u?int\d+_t|struct \w+) \*{0,2}\w+(\[.*\])?( = .*)?[;,]/gm,
    ],
    [2, /\w->\w|\btypedef (struct|enum|union|unsigned)|\bNULL\b|\b(struct|enum|union) \w+ ?\{/gm],
    [
      2,
      /^(static |extern |inline |const )*\w+ \*?\w+\([\w *,[\]]*\);$|^\s*(__)?[us]\d\d \w+;|^\s*\w+_t \*?\w+;|^typedef |^extern /gm,
    ],
    [2, /\b(pr_info|module_init|MODULE_\w+|__init|__exit)\b|^\s*return [\w-]+;$/gm],
  ],
  cpp: [
    [4, /\bstd::\w+/gm],
    [
      4,
      /^\s*#include <(iostream|vector|string|map|memory|algorithm|functional|cstdio|cstdlib|cmath|utility|thread|mutex|chrono|bits\/stdc\+\+\.h|unordered_map|set|queue|sstream|fstream|\w+\.hpp)>/gm,
    ],
    [3, /^\s*using namespace \w+;|^\s*namespace [\w:]* ?\{|\b(cout|cin|cerr) ?(<<|>>)/gm],
    [4, /^\s*template ?<(typename|class|int|auto|)/gm],
    [
      3,
      /^\s*(public|private|protected):$|\bvirtual \w|\boverride;|\bconstexpr\b|\bnoexcept\b|\bnullptr\b|= (delete|default);/gm,
    ],
    [
      2,
      /^\s*class \w+( final)?( : (public|private) [\w:]+)?( ?\{)?;?$|\bconst \w+& ?\w*|\bauto[&]? \w+ ?[=:]|\w+::\w+\(/gm,
    ],
    [
      4,
      /\b(Serial\.(begin|print|println|available)|digitalWrite|pinMode|analogRead)\(|^void (setup|loop)\(\)/gm,
    ],
  ],
  objectivec: [
    [
      5,
      /^@(interface|implementation|property|protocol|end|synthesize|dynamic|optional|required)\b|^@(import|class) \w+;/gm,
    ],
    [4, /^\s*[-+] ?\([\w *<>]+\)\w+/gm],
    [
      3,
      /\b(NS(String|Array|Log|Object|Integer|Dictionary|Mutable\w+|Number)|@autoreleasepool|UI(View|Color)\w*)\b/gm,
    ],
    [3, /@"|\[\[?\w+ \w+[:\]]|^#import /gm],
  ],
  csharp: [
    [4, /^using (System|Microsoft|Unity\w*|Newtonsoft|Xunit|NUnit)(\.[A-Z]\w*)*;$/gm],
    [2, /^using [A-Z][\w.]*;$|^namespace [A-Z][\w.]*( ?\{|;)?$/gm],
    [4, /\{ get; |\bstring\.(Empty|Join|Format|IsNullOrEmpty)\b|\bConsole\.(Write|Read)(Line)?\(/gm],
    [3, /\b(async Task|Task<|IEnumerable<|ICollection<|IActionResult|List<\w+>|Dictionary<)\b/gm],
    [2, /\bvar \w+ = (await |new )?|\bforeach \(\w+ \w+ in /gm],
    [
      3,
      /\bstatic (async )?(void|Task) Main\(|\binternal (class|static)|\bpublic (override|virtual|readonly|async|partial|record)\b|\bis (not )?null\b/gm,
    ],
    [2, /^\s*\[\w+(\(.*\))?\]( \w+.*)?$|\$"[^"\n]*\{|\w+ => \w|\bstring \w+/gm],
    [
      3,
      /\b(WebApplication|builder\.Services|builder\.Build\(\)|app\.Map\w+|async \(\w+ \w+\) =>|MonoBehaviour|GetComponent<|Vector3)\b/gm,
    ],
    [2, /^\s*(public|private|protected) (static )?(class|void|int|string|bool|float) \w+/gm],
  ],
  java: [
    [4, /^import (static )?(java|javax|org|com|jakarta|lombok|io|net)\.[\w.]+(\.\*)?;$/gm],
    [2, /^package [a-z][\w.]*;$/gm],
    [
      4,
      /\bpublic static void main ?\(String|\bpublic (sealed |final )?(record|interface|enum) \w+[(<]|\bthrow new \w+Exception\(/gm,
    ],
    [4, /\bSystem\.(out|err)\.print/gm],
    [3, /^\s*@(Override|Test|Autowired|RestController|GetMapping|Service|Entity|Bean|Nullable)\b/gm],
    [
      2,
      /^\s*(public|private|protected) (static |final |abstract )*(class|interface|enum|void|int|boolean|String|\w+<.*>|[A-Z]\w*) \w+/gm,
    ],
    [
      3,
      /\) throws \w+|\bprivate final |\bfinal \w+ \w+ = |\bextends \w+(<.*>)? implements |\bimplements \w+|\bString\[\]|<\w+ extends \w+>|, \w+ extends \w+>/gm,
    ],
    [3, /\b(Collectors\.|new (ArrayList|HashMap)<|Optional<|List<|\.stream\(\)|::get\w+|::new)/gm],
    [2, /^\s*for \(\w+(<\w+>)? \w+ : \w+|\bString \w+ ?[=;,)]|\bassert(Equals|True)\(/gm],
  ],
  kotlin: [
    [
      4,
      /^\s*((public|private|internal|override|suspend|inline|operator) )*fun (<.*> )?[\w.<>?]+\([^)\n]*\)?( ?: ?\w+.*)?( ?[={].*)?$/gm,
    ],
    [
      4,
      /\bdata class \w+|\bsealed (interface|class) \w+|\blateinit var\b|\bcompanion object\b|\bwhen \(\w+\) \{/gm,
    ],
    [2, /^\s*(private |override |const )?va[lr] \w+( ?: ?[A-Z]\w*[<>?\w]*)? ?(=|by )/gm],
    [3, /\bval \w+: [A-Z]\w*\??[,)]|\?\.\w|\?: |\bit\.\w|\blistOf\(|\bmapOf\(|\bprintln\("/gm],
    [3, /^import (android|androidx|kotlin|kotlinx|io\.ktor|org|com|java)x?\.[\w.]+$/gm],
    [2, /^package [a-z][\w.]*$/gm],
    [
      4,
      /^\s*(kotlin\("\w+"\)|(test)?[iI]mplementation\("|mainClass\.set|id\(")|\b(Dispatchers\.\w+|coroutineScope|awaitAll\(\))/gm,
    ],
    [2, /^(repositories|dependencies|plugins|android) \{$|^\s*mavenCentral\(\)$/gm],
  ],
  swift: [
    [4, /^import (SwiftUI|UIKit|Foundation|AppKit|Combine|CoreData|XCTest)$/gm],
    [4, /\bguard (let|var|\w).*|\bif let \w+|\bfunc \w+(<.*>)?\((_ )?\w+ ?\w*: ?\[?[A-Z]\w*\??/gm],
    [
      3,
      /^\s*((public|private|fileprivate|override|static|mutating|open|internal|@\w+) )*func \w+\(.*\)( async)?( throws)?( -> .*)? ?\{$/gm,
    ],
    [
      3,
      /^\s*@(State|Published|main|objc|IBOutlet|ObservedObject|Binding|Environment|escaping)\b|: some View\b/gm,
    ],
    [3, /^\s*(protocol|extension|struct|enum) \w+(: ?[\w, ]+)?( where .*)? \{/gm],
    [2, /^\s*(let|var) \w+: \[?[A-Z]\w*\]?\??|\\\(\w|\bnil\b|\$0\b|\btry (await )?\w|\bcase \.\w+/gm],
    [2, /\) -> \[?[A-Z]\w*\]?\?? \{|\) async throws|\{ get( set)? \}/gm],
  ],
  scala: [
    [4, /^\s*(final )?case (class|object) \w+|^\s*sealed trait |\bobject \w+( extends \w+.*)?( \{|:)?$/gm],
    [3, /^\s*(override |private |implicit |lazy |final )*def \w+(\[.*\])?(\(.*\))*(: ?[\w[\], .]+)? ?= ?/gm],
    [2, /^\s*(implicit |lazy |private )?val \w+(: ?[A-Z][\w[\], ]*)? = /gm],
    [3, /\bmatch( \{|:)?$|^\s*case .* => |\bs"[^"\n]*\$|\bextends App\b|^import scala\.|\b_ => /gm],
    [4, /^\s*(libraryDependencies|scalaVersion|ThisBuild \/|name :=)|%% "/gm],
    [3, /^\s*(@main def|given \w+|extension \(|enum \w+:)|\bFuture\[|\bOption\[|\bList\[|\bSeq\[/gm],
    [2, /^import [\w.]+\.(_|\{.*\})$|^\s*trait \w+(\[.*\])?/gm],
  ],
  dart: [
    [5, /^import '(package|dart):[\w/.]+';|^import '[\w/.]+\.dart';/gm],
    [3, /\b(StatelessWidget|StatefulWidget|BuildContext|Widget|setState|extends State<|runApp)\b/gm],
    [
      3,
      /\bFuture<.*> \w+\(.*\) async|\bfinal \w+ = |\bList<dynamic>|^\s*final \w+ \w+(, ?\w+)*;|\bconst [A-Z]\w*\(this\.|\blate final\b|\bfactory [A-Z]\w*(\.\w+)?\(|\boperator ?[+*=-]/gm,
    ],
    [
      2,
      /\bfinal (\w+ )?\w+(, \w+)*;|@override$|\bconst [A-Z]\w*\(|super\.key|\brequired this\.\w+|\(this\.\w+|, this\.\w+/gm,
    ],
    [
      2,
      /^void main\(.*\) ?(\{|=>|async)|\bprint\('|'[^'\n]*\$\w+|\bas List<|\bList<dynamic>|Map<String, dynamic>/gm,
    ],
  ],
  groovy: [
    [5, /^\s*(pipeline|stages|steps|agent any|stage\('|post) ?\{?|\bsh '|\bsh "/gm],
    [
      4,
      /^\s*(id|apply plugin:|implementation|testImplementation|compile|classpath|api|compileOnly|runtimeOnly) ['"]/gm,
    ],
    [3, /^\s*def \w+ = |\bprintln "|\.(each|collect|findAll) \{ ?(\w+ ->)?|\bit\.\w+/gm],
    [
      2,
      /^(plugins|repositories|dependencies|buildscript|android|task \w+.*) \{$|^(group|version|sourceCompatibility) = '|mavenCentral\(\)|mavenLocal\(\)|jcenter\(\)|^\s*assert |^rootProject\.name|^include '|^apply from:|^\s*url '|^task \w+/gm,
    ],
  ],
}

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
