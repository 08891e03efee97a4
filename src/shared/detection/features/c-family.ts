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
