// Section 6: checks 1 to 4 and 6. Checks 5, 7 and 8 need the rules of the game.

import { Draw, gameKey, seedCommit } from "./chance.mjs";
import { Fault, readCanonical, sha256 } from "./canonical.mjs";
import { BESIDE, Unusable, differs, oddMember, own, readDisclosure, readSide, split } from "./lines.mjs";
import { isCount, isHex32, isListOfDigests, isObject, isSeed, isType, isUuid, isUuid7 } from "./lines.mjs";
import { readHead, readKey, signerOf } from "./notes.mjs";

const MOST_SEATS = 100;
const GENESIS = "0".repeat(64);
const AFTER_THE_END = new Set([
  "dispute_filed", "verdict_given", "result_corrected", "game_annulled", "game_suspended", "game_resumed",
]);

/** Everything that is wrong with an export, and everything that could not be checked. */
export function check(bytes, { draws = {}, keys = [], receipts = [] } = {}) {
  const log = new Log(draws);
  const lines = split(bytes);
  log.begin(lines[0].text, keys);
  for (const { text, whole, number } of lines.slice(1)) {
    log.take(text, number);
    if (!whole) log.find(2, "newline_missing", "the last line does not end with a newline", { line: number });
  }
  log.end(lines.length, receipts);
  return log;
}

class Log {
  constructor(draws) {
    Object.assign(this, { draws, findings: [], unchecked: [], entries: [], hashes: new Map(), keys: [] });
    Object.assign(this, { digests: new Set(), salts: new Set(), stands: new Map(), drawn: [], seeds: new Map() });
  }

  find(check, code, words, where = {}) {
    this.findings.push({ check, code, words, ...where });
  }

  leave(check, code, words, where = {}) {
    this.unchecked.push({ check, code, words, ...where });
  }

  begin(bytes, keys) {
    let header;
    try {
      header = readSide(bytes);
    } catch (fault) {
      throw new Unusable(`line 1 is no header of gusher-log/1: ${fault.message}`);
    }
    if (header.said.kind !== "header" || !header.spelled) throw new Unusable("line 1 is no header as section 5 has it");
    this.header = header.said;
    this.game = header.said.game;
    this.viewer = header.said.viewer ?? "spectator";
    for (const vkey of header.said.vkeys) {
      const place = { line: 1, field: "vkeys" };
      if (readKey(vkey) === null) this.find(4, "vkey_malformed", `no Ed25519 verifier key: ${vkey}`, place);
    }
    this.keys = (keys.length ? keys : header.said.vkeys).map(readKey).filter((key) => key !== null);
  }

  take(bytes, line) {
    if (this.note) this.find(4, "line_after_note", "the note is the last line", { line });
    const beside = bytes.subarray(0, BESIDE.length).equals(BESIDE);
    try {
      if (!beside) return this.takeEntry(bytes, line);
      const { said, spelled } = readSide(bytes);
      if (!spelled) this.find(2, "line_spelling", "not spelled as section 5 has it", { line, seq: said.seq });
      if (said.kind === "header") this.find(2, "header_again", "a second header", { line });
      else if (said.kind === "note") this.note = { ...said, line };
      else this.takeDisclosures(said, line);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      const seq = beside ? undefined : this.entries.length + 1;
      this.find(2, fault.code, fault.message, { line, seq, field: fault.field || undefined });
      if (!beside) this.entries.push({ line, lost: true, seq });
    }
  }

  // ---- checks 1 and 2: entries

  takeEntry(bytes, line) {
    const body = readCanonical(bytes);
    const odd = oddMember(body);
    if (odd !== undefined) throw new Fault("envelope", "not the envelope of an entry", odd);
    const hash = sha256("gusher/entry/v1\n", bytes).toString("hex");
    const entry = { line, body, hash, seq: body.seq, opened: false };
    this.entries.push(entry);
    this.hashes.set(entry.seq, entry.hash);
    const place = { line, seq: entry.seq };
    if (!isUuid7(body.game)) this.find(2, "game_id", "no UUIDv7 in lower case", { ...place, field: "game" });
    if (!isUuid(body.command.id)) {
      this.find(2, "command_id", "no UUID in lower case", { ...place, field: "command.id" });
    }
    const words = [[undefined, body.command], ...body.events.entries()];
    entry.words = words.map(([event, word]) => this.takeWord(entry, event, word));
    // After the end a dispute may be filed and settled, and an operator may look into what became of the log.
    const around = body.events.every((event) => AFTER_THE_END.has(event.type));
    if (this.seed && !around) this.find(6, "entry_after_seed", "the server seed is published: nothing may follow", place);
    for (const word of entry.words.slice(1)) this.takeEvent(entry, word);
    if (this.entries.length === 1) this.compareHeader(body.events[0]);
  }

  takeWord(entry, event, plain) {
    const place = { line: entry.line, seq: entry.seq };
    const at = (field) => ({ ...place, event, field: event === undefined ? `command.${field}` : field });
    if (!isType(plain.type)) this.find(2, "word_type", "no type of the form [a-z][a-z0-9_]*", at("type"));
    if (event !== undefined && !(isCount(plain.schema) && plain.schema > 0)) {
      this.find(2, "word_schema", "no schema number of at least 1", at("schema"));
    }
    let digests = plain._sd ?? [];
    if ("_sd" in plain && !isListOfDigests(plain._sd)) {
      this.find(2, "sd_shape", "no sorted list of digests of 32 bytes", at("_sd"));
      digests = [];
    }
    for (const digest of digests) {
      if (this.digests.has(digest)) this.find(3, "digest_reused", `digest ${digest} stands in the log twice`, place);
      this.digests.add(digest);
    }
    return { event, plain, closed: new Set(digests), opened: new Map() };
  }

  compareHeader(created) {
    for (const name of ["ruleset", "edition", "options"]) {
      const said = this.header[name];
      const place = { line: 1, seq: 1, field: name };
      if (said === undefined) this.leave(2, "header_short", `the header does not name ${name}`, place);
      else if (differs(said, created[name]) !== undefined) {
        this.find(2, "header_differs", "not what entry 1 says", place);
      }
    }
  }

  checkChain(head) {
    let broken; // the two entries of a link that does not hold, until it is known which of them was changed
    this.entries.forEach((entry, n) => {
      const last = this.entries[n - 1];
      const linked = last !== undefined && !last.lost && !entry.lost;
      const holds = !linked || entry.body.prev === last.hash;
      if (broken) this.blame(broken, holds);
      broken = holds ? undefined : [last, entry];
      if (entry.lost) {
        this.leave(1, "link_lost", "what follows cannot be held against a line that is no entry", { seq: entry.seq });
      } else {
        this.checkPlace(entry, last);
      }
    });
    if (broken) this.blame(broken, head === undefined || head === broken[1].hash);
  }

  checkPlace({ line, seq, body }, last) {
    const at = (field) => ({ line, seq, field });
    const due = (last?.seq ?? 0) + 1;
    if (body.game !== this.game) this.find(1, "game_differs", `not an entry of ${this.game}`, at("game"));
    if (seq !== due && !(last?.lost && seq === last.seq)) {
      this.find(1, seq > due ? "seq_gap" : "seq_repeated", `entry ${seq} where entry ${due} was due`, at("seq"));
    }
    if (!last && seq === 1 && body.prev !== GENESIS) {
      this.find(1, "prev_differs", "entry 1 follows nothing: 64 zeros", at("prev"));
    }
    if (last?.body && body.at < last.body.at) this.find(1, "at_decreases", "earlier than the entry before", at("at"));
  }

  /** A link that does not hold: where the next one does, the later entry is as it was, and the earlier was changed. */
  blame([earlier, later], nextHolds) {
    const words = `the hash of entry ${earlier.seq} is not the \`prev\` of entry ${later.seq}`;
    if (nextHolds) this.find(1, "entry_changed", words, { line: earlier.line, seq: earlier.seq });
    else this.find(1, "prev_differs", words, { line: later.line, seq: later.seq, field: "prev" });
  }

  // ---- check 3: disclosures

  takeDisclosures(said, line) {
    const entry = this.entries.at(-1);
    const place = { line, seq: said.seq };
    if (entry?.lost) return this.leave(3, "disclosures_unused", "the entry before cannot be read", place);
    if (!entry || entry.seq !== said.seq || entry.opened || entry.line !== line - 1) {
      return this.find(3, "disclosures_misplaced", "disclosures follow the body of their entry, once", place);
    }
    entry.opened = true;
    if (said.disclosures.length === 0) this.find(3, "disclosures_empty", "a line that discloses nothing", place);
    for (const text of said.disclosures) this.open(entry, text, place);
  }

  open(entry, text, place) {
    const field = readDisclosure(text);
    if (field === null) return this.find(3, "disclosure_malformed", "no disclosure", place);
    const digest = sha256(text).toString("base64url");
    const word = entry.words.find(({ closed, opened }) => closed.has(digest) || opened.has(digest));
    if (!word) return this.find(3, "disclosure_unknown", `no digest of this entry seals \`${field.name}\``, place);
    if (word.opened.has(digest)) {
      return this.find(3, "disclosure_repeated", `\`${field.name}\` is disclosed twice`, place);
    }
    if (this.salts.has(field.salt)) {
      this.find(3, "salt_reused", `the salt of \`${field.name}\` has been used before`, place);
    }
    this.salts.add(field.salt);
    word.closed.delete(digest);
    word.opened.set(digest, field.name);
    if (Object.hasOwn(word.plain, field.name)) {
      const where = { ...place, event: word.event, field: field.name };
      return this.find(3, "disclosed_twice", "the object has this field already", where);
    }
    Object.defineProperty(word.plain, field.name, { value: field.value, enumerable: true });
  }

  checkDisclosed() {
    for (const entry of this.entries.filter(({ lost }) => !lost)) {
      for (const { event, plain, closed, opened } of entry.words) {
        const place = { line: entry.line, seq: entry.seq, event };
        const words = `${closed.size} sealed field(s) of \`${plain.type}\` not disclosed`;
        if (closed.size) this.leave(3, "sealed", words, place);
        if (opened.size && !this.seed && this.viewer === "spectator") {
          const field = [...opened.values()][0];
          const told = "a spectator may not read this field while the game runs";
          this.find(3, "disclosed_too_widely", told, { ...place, field });
        }
      }
    }
  }

  // ---- check 4: the note, receipts

  checkNote(lines) {
    const last = Math.max(0, ...this.hashes.keys());
    if (!this.note) {
      const words = "no signed head at the end: the log may have been cut short";
      return this.find(4, "note_missing", words, { line: lines });
    }
    const place = { line: this.note.line, seq: last };
    const head = readHead(this.note.note);
    if (!head) return this.find(4, "note_malformed", "the four lines of a head are not there", place);
    const signer = signerOf(this.note.note, this.keys);
    if (!signer) return this.find(4, "note_forged", "not signed by any of the keys", place);
    if (head.game !== this.game) this.find(4, "note_of_another_game", `the note signs ${head.game}`, place);
    else if (head.seq !== last || this.note.seq !== last) {
      const words = `the note signs entry ${head.seq}, its line says ${this.note.seq}, the log ends at ${last}`;
      this.find(4, "note_of_another_entry", words, place);
    } else if (head.hash !== this.hashes.get(last)) {
      this.find(4, "note_differs", `the note signs another entry ${last}: it was changed after it was signed`, place);
    }
    return head.seq === last ? head.hash : undefined;
  }

  checkReceipt(receipt) {
    const head = readHead(receipt);
    if (!head || !signerOf(receipt, this.keys)) {
      return this.leave(4, "receipt_forged", "a receipt is no head signed by one of the keys");
    }
    const { game, seq, hash } = head;
    if (game !== this.game) this.leave(4, "receipt_of_another_game", `a receipt is for ${game}`, { seq });
    else if (!this.hashes.has(seq)) {
      this.find(4, "receipt_lost", `a receipt is for entry ${seq}, and the log has none`, { seq });
    } else if (this.hashes.get(seq) !== hash) {
      this.find(4, "receipt_differs", `entry ${seq} was rewritten after it was signed`, { seq });
    }
  }

  // ---- check 6: chance

  takeEvent(entry, word) {
    const { event, plain } = word;
    const place = { line: entry.line, seq: entry.seq, event };
    if (this.entries.length === 1 && event === 0) this.created = plain;
    if (plain.type === "seat_taken") this.seeds.set(plain.seat, plain.client_seed);
    if (plain.type === "seat_left") this.seeds.delete(plain.seat);
    if ("server_seed" in plain) {
      const where = { ...place, field: "server_seed" };
      if (isHex32(plain.server_seed)) this.seed = { hex: plain.server_seed, where };
      else this.find(6, "seed_shape", "no server seed of 32 bytes in lower-case hex", where);
    }
    if ("rng" in plain) this.takeRange(plain.rng, word, place);
  }

  takeRange(rng, word, place) {
    const shaped = isObject(rng) && Object.keys(rng).sort().join() === "from,label,to";
    if (!shaped || typeof rng.label !== "string" || !isCount(rng.from) || !isCount(rng.to)) {
      return this.find(6, "rng_shape", "no range of a label", { ...place, field: "rng" });
    }
    const stands = this.stands.get(rng.label) ?? 0;
    if (rng.from !== stands) {
      const how = rng.from < stands ? "uses words again" : "skips words";
      const words = `label ${rng.label} stands at ${stands}, the draw begins at ${rng.from}: it ${how}`;
      this.find(6, "rng_not_contiguous", words, { ...place, field: "rng.from" });
    }
    if (rng.to <= rng.from) this.find(6, "rng_empty", "a draw that takes no word", { ...place, field: "rng.to" });
    this.stands.set(rng.label, Math.max(stands, rng.to));
    this.drawn.push({ word, rng, place });
  }

  checkChance() {
    if (!this.seed) return this.leave(6, "seed_unknown", "the game is running: its server seed is not published");
    const seed = Buffer.from(this.seed.hex, "hex");
    if (!isUuid(this.game) || seedCommit(this.game, seed) !== this.created?.seed_commit) {
      return this.find(6, "seed_differs", "not the seed that entry 1 committed to", this.seed.where);
    }
    const seats = isCount(this.created.seats) ? Math.min(this.created.seats, MOST_SEATS) : 0;
    const seeds = Array.from({ length: seats }, (_, seat) => this.seeds.get(seat));
    const key = gameKey(this.game, seed, seeds.map((hex) => (isSeed(hex) ? hex : "")));
    const left = new Map();
    for (const { word, rng, place } of this.drawn) {
      const needs = this.checkDraw(key, word.plain, rng, place, seats);
      if (needs) left.set(needs, (left.get(needs) ?? 0) + 1);
    }
    for (const [needs, number] of left) this.leave(6, "needs_rules", `${number} draw(s) not computed again: ${needs}`);
  }

  /** Compute one draw again, where the event itself says among what; else the reason why that cannot be done. */
  checkDraw(key, plain, rng, place, seats) {
    const how = own(own(this.draws, this.created.ruleset), plain.type) ?? { needs: "the rules" };
    if (how.needs) return `\`${plain.type}\` needs ${how.needs}`;
    const outcome = plain[how.outcome];
    if (outcome === undefined) return `\`${plain.type}\` has \`${how.outcome}\` sealed`;
    const draw = new Draw(key, rng.label, rng.from);
    const due = outcomeOf(draw, how, outcome, seats);
    const field = differs(outcome, due, how.outcome);
    if (field !== undefined) {
      const words = `the log says ${JSON.stringify(outcome)}, the seed says ${JSON.stringify(due)}`;
      this.find(6, "draw_outcome_differs", words, { ...place, field });
    } else if (draw.position !== rng.to) {
      const words = `the log says up to ${rng.to}, the draw takes the words up to ${draw.position}`;
      this.find(6, "draw_range_differs", words, { ...place, field: "rng.to" });
    }
    return undefined;
  }

  end(lines, receipts) {
    if (this.entries.length === 0) this.find(2, "no_entries", "a log has at least one entry", { line: lines });
    this.checkChain(this.checkNote(lines));
    receipts.forEach((receipt) => this.checkReceipt(receipt));
    this.checkDisclosed();
    this.checkChance();
    const order = ({ line = Infinity, event = -1, check }) => [line, event, check];
    this.findings.sort((one, other) => order(one).reduce((sign, n, i) => sign || n - order(other)[i] || 0, 0));
  }
}

function outcomeOf(draw, how, outcome, seats) {
  if (how.die) return draw.below(how.die) + 1;
  if (how.below) return seats > 0 ? draw.below(seats) : undefined;
  if (!Array.isArray(outcome)) return undefined;
  if (how.choose) return draw.choose(outcome.length, how.choose);
  return draw.shuffle(outcome.map(String).sort(byCodePoint));
}

const byCodePoint = (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other));
