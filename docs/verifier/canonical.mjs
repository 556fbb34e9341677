// Section 1: canonical bytes, RFC 8785 (JCS) inside the profile of the log format. Section 2: base64url.

import { createHash } from "node:crypto";

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 16;
const MEMBER = /^[a-z_][a-z0-9_]*$/;

/** Something is not as the format has it: a stable code, words for people, the path of a field. */
export class Fault extends Error {
  constructor(code, words, field) {
    super(words);
    this.code = code;
    this.field = field;
  }
}

export const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();

/** The value of canonical bytes. Throws a Fault unless writing it again gives the very same bytes. */
export function readCanonical(bytes) {
  if (bytes.length > MAX_BYTES) throw new Fault("too_large", `larger than ${MAX_BYTES} bytes`);
  const text = textOf(bytes);
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Fault("not_json", `not JSON: ${error.message}`);
  }
  checkProfile(value, "", 1);
  if (write(value) !== text) throw new Fault("not_canonical", "not the one canonical spelling of what it says");
  return value;
}

/** UTF-8, strictly: a byte order mark is a character like any other, and nothing is replaced. */
export function textOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Fault("not_json", "not UTF-8");
  }
}

function checkProfile(value, path, depth) {
  if (typeof value === "number") {
    if (!Number.isInteger(value)) throw new Fault("float", "a number that is no integer", path);
    if (!Number.isSafeInteger(value)) throw new Fault("integer_too_large", "an integer beyond 53 bits", path);
  } else if (typeof value === "string") {
    if (!value.isWellFormed()) throw new Fault("lone_surrogate", "a text with half a character in it", path);
  } else if (value !== null && typeof value === "object") {
    if (depth > MAX_DEPTH) throw new Fault("too_deep", `nested deeper than ${MAX_DEPTH}`, path);
    for (const [name, inner] of Object.entries(value)) {
      if (Array.isArray(value)) checkProfile(inner, `${path}[${name}]`, depth + 1);
      else if (!MEMBER.test(name)) throw new Fault("member_name", `the member name ${JSON.stringify(name)}`, path);
      else checkProfile(inner, path ? `${path}.${name}` : name, depth + 1);
    }
  }
}

// Inside the profile JSON.stringify writes texts and integers as RFC 8785 asks; only the members want sorting.
function write(value) {
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${write(value[name])}`).join(",")}}`;
}

/** The bytes of unpadded base64url; null for any other spelling of them. */
export function fromBase64url(text) {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : null;
}
