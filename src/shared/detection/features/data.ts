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
