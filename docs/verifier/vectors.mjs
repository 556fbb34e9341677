// Every value of the vectors, computed again: node vectors.mjs tests/vectors/log-format.json

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { Draw, gameKey, seedCommit } from "./chance.mjs";
import { readCanonical, sha256 } from "./canonical.mjs";
import { readDisclosure } from "./lines.mjs";
import { readHead, readKey, signerOf } from "./notes.mjs";

const { chance, log, note } = JSON.parse(readFileSync(process.argv[2], "utf8"));

// Section 1: bodies are canonical, and hash to what is said; so does the changed one.
for (const { body, hash } of [...log.entries, log.tampered]) {
  assert.equal(readCanonical(Buffer.from(body)).v, 1);
  assert.equal(sha256("gusher/entry/v1\n", Buffer.from(body)).toString("hex"), hash);
}

// Section 2: a disclosure has its digest, and says a salt, a name and a value.
const sealed = log.entries.flatMap(({ disclosures = [] }) => disclosures);
for (const { digest, disclosure } of sealed) {
  assert.equal(sha256(disclosure).toString("base64url"), digest);
  assert.notEqual(readDisclosure(disclosure), null);
}

// Section 3: the commitment, the key of the game, its blocks, its draws.
const seed = Buffer.from(chance.server_seed, "hex");
const key = gameKey(chance.game, seed, chance.client_seeds_hex);
assert.equal(seedCommit(chance.game, seed), chance.seed_commit);
assert.equal(key.toString("hex"), chance.game_key);
for (const { label, i, hex } of chance.blocks) {
  const draw = new Draw(key, label, 8 * i);
  const words = Array.from({ length: 8 }, () => draw.word().toString(16).padStart(8, "0"));
  assert.equal(words.join(""), hex);
}
const times = (n, one) => Array.from({ length: n }, one);
const OPERATIONS = {
  ten_d6: (draw) => times(10, () => draw.below(6) + 1),
  below: (draw, { n, times: often }) => times(often, () => draw.below(n)),
  shuffle: (draw, { items }) => draw.shuffle(items),
  choose: (draw, { k, items }) => draw.choose(k, items),
  weighted: (draw, { weights, times: often }) => times(often, () => draw.weighted(weights)),
};
for (const { op, label, result, words, ...given } of chance.draws) {
  const draw = new Draw(key, label, 0);
  assert.deepEqual(OPERATIONS[op](draw, given), result, label);
  assert.equal(draw.position, words, label);
}

// Section 4: the note is signed by its key, over the head of the last entry.
assert.equal(signerOf(note.note, [readKey(note.vkey)])?.name, "example.org/gusher/head");
assert.equal(readHead(note.note).hash, log.entries.at(-1).hash);

console.log(`${log.entries.length} entries, ${sealed.length} disclosures, ${chance.draws.length} draws, 1 note`);
