import { findLanguageOfFile } from '../languages/file-languages.ts'
import { findLanguage, PLAIN_TEXT } from '../languages/languages.ts'
import type { Sample } from './sample.ts'

/** Programs in the first line of a script (`#!/usr/bin/env node`), and their language. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  sh: 'bash',
  dash: 'bash',
  ash: 'bash',
  deno: 'typescript',
  bun: 'typescript',
  'ts-node': 'typescript',
  tsx: 'typescript',
  expect: 'tcl',
  tclsh: 'tcl',
  wish: 'tcl',
  escript: 'erlang',
  rscript: 'r',
  runghc: 'haskell',
  osascript: 'plaintext',
  make: 'makefile',
  guile: 'scheme',
  sbcl: 'commonlisp',
  emacs: 'commonlisp',
  awk: 'plaintext',
}

function detectInterpreter(firstLine: string): string | null {
  const match = /^#! ?\S*?(?:\/env (?:-S )?(?:\w+=\S+ )*)?([\w.+-]+)(?: |$)/.exec(firstLine)
  const program = match?.[1]?.toLowerCase().replace(/[\d.]+$/, '')
  if (!program) return null
  return INTERPRETERS[program] ?? findLanguage(program)?.name ?? null
}

/** Finds a line for an editor that names the language: `-*- mode: ruby -*-`, `vim: set ft=python:`. */
function detectModeline({ lines }: Sample): string | null {
  for (const line of [...lines.slice(0, 2), ...lines.slice(-2)]) {
    const emacs = /-\*-(?:[^*]*?\bmode:)? *([\w+#-]+) *(?:;[^*]*)?-\*-/i.exec(line)?.[1]
    const vim = /\b(?:vim?|ex):.*?\b(?:ft|filetype|syntax)=(\w+)/.exec(line)?.[1]
    const language = findLanguage(vim ?? emacs ?? '')?.name
    if (language && language !== PLAIN_TEXT) return language
  }
  return null
}

/** What a text starts with, if that leaves no doubt. */
const FIRST_CHARACTERS: readonly (readonly [language: string, pattern: RegExp])[] = [
  ['php', /^<\?php\b|^<\?=/],
  ['xml', /^<\?xml\b|^<svg[\s>]|^<!DOCTYPE (?!html)/],
  ['html', /^<!doctype html|^<html[\s>]/i],
  ['diff', /^(diff --git |Index: \S+\n=+\n|From [\da-f]{40} |@@ -\d+(,\d+)? \+\d+(,\d+)? @@)/],
  ['diff', /^(Only in .*\n|diff -\S+ .*\n)*--- \S.*\n\+\+\+ \S.*\n@@ /],
  ['diff', /^commit [\da-f]{40}\b[\s\S]{0,2000}\ndiff --git /],
  ['http', /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S+ HTTP\/[\d.]+\n|^HTTP\/[\d.]+ \d{3}\b/],
  ['latex', /^(%.*\n)*\\documentclass\b/],
  ['protobuf', /^((\/\/.*)?\n)*syntax = "proto[23]"/],
]

/** Returns the language that the first or last lines of a text name; null if they don't. */
export function detectSignature(sample: Sample): string | null {
  const fromInterpreter = detectInterpreter(sample.lines[0] ?? '')
  if (fromInterpreter) return fromInterpreter
  for (const [language, pattern] of FIRST_CHARACTERS) if (pattern.test(sample.text)) return language
  return detectModeline(sample) ?? detectFileComment(sample.lines[0] ?? '')
}

/** Reads a first comment that is nothing but a file's name: `// src/app.ts`. */
function detectFileComment(firstLine: string): string | null {
  const name = /^(?:\/\/|#|--|;|\/\*|<!--) ?(?:file(?:name)?: ?)?([\w./-]+\.\w+)(?: ?\*\/| ?-->)?$/i.exec(
    firstLine,
  )?.[1]
  return name ? findLanguageOfFile(name) : null
}
