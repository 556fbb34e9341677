// Section 4: signed heads, C2SP signed-note with Ed25519.

import { createPublicKey, verify } from "node:crypto";

import { sha256 } from "./canonical.mjs";

const ED25519 = 1;
const SPKI = Buffer.from("302a300506032b6570032100", "hex"); // what precedes the 32 bytes of an Ed25519 key in DER

/** A published verifier key, `name+id+base64(1 ‖ key)`; null where it is none, or its id is not its own. */
export function readKey(vkey) {
  const [, name, id, data] = /^([^+]*)\+([0-9a-f]{8})\+(.*)$/s.exec(vkey) ?? [];
  if (name === undefined) return null;
  const bytes = Buffer.from(data, "base64");
  const own = sha256(name, "\n", bytes).subarray(0, 4);
  if (bytes.length !== 33 || bytes[0] !== ED25519) return null;
  if (bytes.toString("base64") !== data || own.toString("hex") !== id) return null;
  const der = Buffer.concat([SPKI, bytes.subarray(1)]);
  return { name, id: own, key: createPublicKey({ key: der, format: "der", type: "spki" }) };
}

/** What a note says, whoever signed it: `{game, seq, hash}`; null where it is no head's note. */
export function readHead(note) {
  const said = /^gusher\/head\/v1\n([^\n]*)\n(0|[1-9][0-9]{0,15})\n([^\n]*)\n\n/.exec(note);
  return said && { game: said[1], seq: Number(said[2]), hash: said[3] };
}

/** The key among these that has signed the note. */
export function signerOf(note, keys) {
  const end = note.indexOf("\n\n");
  if (end < 0 || !note.endsWith("\n")) return undefined;
  const text = Buffer.from(note.slice(0, end + 1));
  const lines = note.slice(end + 2).split("\n");
  return keys.find((key) => lines.some((line) => isSigned(line, text, key)));
}

function isSigned(line, text, key) {
  const prefix = `— ${key.name} `;
  if (!line.startsWith(prefix)) return false;
  const data = line.slice(prefix.length);
  const bytes = Buffer.from(data, "base64");
  // The last character has spare bits that no signature covers: only one spelling counts.
  if (bytes.toString("base64") !== data || !bytes.subarray(0, 4).equals(key.id)) return false;
  return verify(null, text, key.key, bytes.subarray(4));
}
