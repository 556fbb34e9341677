#!/usr/bin/env node
// A second verifier for `gusher-log/1`, written from docs/log-format.md alone. Plain Node, 20 or later:
//
//   node verify.mjs [--format-only] [--json] [--draws FILE] [--key VKEY]… [--receipt FILE]… EXPORT…
//
// It knows the format and no rules: chain, form, disclosures, note, commitment, ranges, and the draws whose outcome
// and candidates stand in the event (draws.json says which). Folding and deciding moves again are listed as unchecked,
// so that a whole file is "incomplete" (2) here; with --format-only what needs the rules is not asked for.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { Unusable } from "./lines.mjs";
import { check } from "./log.mjs";
import { readKey } from "./notes.mjs";

const EXITS = { good: 0, broken: 1, incomplete: 2, unusable: 64 };
const FROM_WORST = ["broken", "unusable", "incomplete", "good"];
const NEEDS_RULES = [
  { check: 5, code: "needs_rules", words: "what the events make of the game" },
  { check: 7, code: "needs_rules", words: "whether the rules allow the moves" },
  { check: 8, code: "needs_rules", words: "whether the result was earned" },
];

function report(file, given, formatOnly) {
  try {
    const { findings, unchecked } = check(readFileSync(file), given);
    const open = formatOnly ? unchecked.filter(({ code }) => code !== "needs_rules") : [...unchecked, ...NEEDS_RULES];
    const verdict = findings.length ? "broken" : open.length ? "incomplete" : "good";
    return { file, verdict, exit: EXITS[verdict], findings, unchecked: open };
  } catch (error) {
    if (!(error instanceof Unusable) && error.syscall === undefined) throw error;
    const finding = { check: 2, code: "unusable", words: error.message, line: 1 };
    return { file, verdict: "unusable", exit: EXITS.unusable, findings: [finding], unchecked: [] };
  }
}

// Texts out of a file that strangers wrote: they may neither break a line nor drive the terminal.
const plain = (text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`);

function tell({ file, verdict, findings, unchecked }) {
  const sentence = ({ code, words, line, seq, event, field }) => {
    const named = { line: seq === undefined ? line : undefined, entry: seq, event };
    const place = Object.entries(named).flatMap(([name, n]) => (n === undefined ? [] : [`${name} ${n}`]));
    return `  [${code}] ${[...place, field].filter(Boolean).join(", ")}: ${words}`;
  };
  const list = (title, found) => (found.length ? [title, ...found.slice(0, 10).map(sentence)] : []);
  const lists = [...list("Differences", findings), ...list("Not checked", unchecked)];
  return [`${verdict.toUpperCase()} ${file}`, ...lists].map(plain).join("\n");
}

function options() {
  try {
    const many = { type: "string", multiple: true, default: [] };
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { "format-only": { type: "boolean" }, json: { type: "boolean" }, draws: many, key: many, receipt: many },
    });
    if (positionals.length === 0) throw new Error("no export named");
    const files = [new URL("draws.json", import.meta.url), ...values.draws];
    const draws = Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, "utf8"))));
    if (values.key.some((key) => readKey(key) === null)) throw new Error("no verifier key");
    const receipts = values.receipt.map((file) => readFileSync(file, "utf8"));
    return { values, files: positionals, given: { draws, keys: values.key, receipts } };
  } catch (error) {
    console.error(`verify.mjs: ${error.message}`);
    process.exit(EXITS.unusable);
  }
}

const { values, files, given } = options();
const reports = files.map((file) => report(file, given, values["format-only"]));
for (const one of reports) console.log(values.json ? JSON.stringify(one) : tell(one));
process.exitCode = EXITS[FROM_WORST.find((verdict) => reports.some((one) => one.verdict === verdict))];
