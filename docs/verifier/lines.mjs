// Section 1, the shape of an entry; section 2, of a disclosure; section 5, the lines of an export.

import { Fault, fromBase64url, readCanonical, textOf } from "./canonical.mjs";

const matches = (pattern) => (value) => typeof value === "string" && pattern.test(value);
export const BESIDE = Buffer.from('{"kind":');
export const isHex32 = matches(/^[0-9a-f]{64}$/);
export const isUuid = matches(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
export const isUuid7 = matches(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
export const isType = matches(/^[a-z][a-z0-9_]*$/);
export const isSeed = matches(/^([0-9a-f]{2}){0,64}$/);
const isDigest = matches(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/); // 32 bytes; the last two bits are to spare, and 0
const isViewer = matches(/^(spectator|auditor|seat:(0|[1-9][0-9]?))$/);

export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isTexts = (value) => Array.isArray(value) && value.every((one) => typeof one === "string");
export const isCount = (value) => Number.isSafeInteger(value) && value >= 0;

const ENVELOPE = {
  actor: matches(/^(seat:(0|[1-9][0-9]?)|host|organizer|arbiter|clock|autopilot|system)$/),
  at: isCount,
  command: isObject,
  events: (value) => Array.isArray(value) && value.length > 0 && value.every(isObject),
  game: (value) => typeof value === "string",
  prev: isHex32,
  seq: (value) => isCount(value) && value > 0,
  v: (value) => value === 1,
};

const SIDE_LINES = {
  header: ({ format, game, vkeys, viewer = "spectator" }) =>
    format === "gusher-log/1" && typeof game === "string" && isTexts(vkeys) && isViewer(viewer),
  disclosures: (said) => Number.isSafeInteger(said.seq) && isTexts(said.disclosures),
  note: (said) => Number.isSafeInteger(said.seq) && typeof said.note === "string",
};
const MEMBERS = {
  header: ["kind", "format", "game", "ruleset", "edition", "options", "viewer", "vkeys"],
  disclosures: ["kind", "seq", "disclosures"],
  note: ["kind", "seq", "note"],
};

/** The input is no log of this format at all. */
export class Unusable extends Error {}

/** A member that the object has itself: files hold any name, `constructor` too. */
export const own = (object, name) => (object != null && Object.hasOwn(object, name) ? object[name] : undefined);

/** The first member of an envelope that is not as it should be; undefined where there is none. */
export function oddMember(body) {
  if (!isObject(body)) return "";
  return [...Object.keys(ENVELOPE), ...Object.keys(body)].find((name) => !own(ENVELOPE, name)?.(body[name]));
}

/** The lines of a file; `whole`: it ended with 0x0A. */
export function split(bytes) {
  const lines = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    const whole = end >= 0;
    lines.push({ text: bytes.subarray(start, whole ? end : bytes.length), whole, number: lines.length + 1 });
    start = whole ? end + 1 : bytes.length;
  }
  if (lines.length === 0) throw new Unusable("the file is empty");
  return lines;
}

/** A line beside the bodies: header, disclosures or note. */
export function readSide(bytes) {
  const text = textOf(bytes);
  let said;
  try {
    said = JSON.parse(text);
  } catch (error) {
    throw new Fault("line_unknown", `not JSON: ${error.message}`);
  }
  const members = own(MEMBERS, said.kind) ?? [];
  if (!own(SIDE_LINES, said.kind)?.(said) || !Object.keys(said).every((name) => members.includes(name))) {
    throw new Fault("line_unknown", "neither an entry nor disclosures nor a note");
  }
  const inOrder = members.filter((name) => name in said);
  return { said, spelled: JSON.stringify(said) === text && inOrder.every((name, n) => Object.keys(said)[n] === name) };
}

/** Whether this is an `_sd`: digests of 32 bytes, sorted, each once. */
export function isListOfDigests(list) {
  return isTexts(list) && list.length > 0 && list.every((one, n) => isDigest(one) && (n === 0 || list[n - 1] < one));
}

/** What a disclosure says, `{salt, name, value}`; null where it is none. */
export function readDisclosure(text) {
  try {
    const bytes = fromBase64url(text);
    const parts = bytes && readCanonical(bytes);
    if (!Array.isArray(parts) || parts.length !== 3 || !isTexts(parts.slice(0, 2)) || parts[1] === "_sd") return null;
    const [salt, name, value] = parts;
    return fromBase64url(salt)?.length === 16 ? { salt, name, value } : null;
  } catch (fault) {
    if (fault instanceof Fault) return null;
    throw fault;
  }
}

/** The path of the first difference between two pieces of JSON, undefined where there is none. */
export function differs(one, other, path = "") {
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") {
    return one === other ? undefined : path;
  }
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  if (Array.isArray(one) !== Array.isArray(other)) return path;
  for (const name of names) {
    const inside = Array.isArray(one) ? `${path}[${name}]` : `${path}.${name}`;
    const found = differs(own(one, name), own(other, name), inside);
    if (found !== undefined) return found;
  }
  return undefined;
}
