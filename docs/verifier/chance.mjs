// Section 3: chance, committed before and provable after.

import { createHmac } from "node:crypto";

import { sha256 } from "./canonical.mjs";

const hmac = (key, message) => createHmac("sha256", key).update(message).digest();
const bytesOfGame = (game) => Buffer.from(game.replaceAll("-", ""), "hex");

function sized(bytes) {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(bytes.length);
  return Buffer.concat([size, bytes]);
}

/** What entry 1 says before anybody is seated, as hex. */
export const seedCommit = (game, seed) => sha256("gusher/seed-commit/v1\n", bytesOfGame(game), seed).toString("hex");

/** The key behind every draw; `clientSeeds` in hex, one for each seat in order, empty where a seat gave none. */
export function gameKey(game, seed, clientSeeds) {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(clientSeeds.length);
  const seeds = clientSeeds.map((hex) => sized(Buffer.from(hex, "hex")));
  return hmac(seed, Buffer.concat([Buffer.from("gusher/game-key/v1\n"), bytesOfGame(game), count, ...seeds]));
}

/** One draw: takes the words of a label from a position on. */
export class Draw {
  constructor(key, label, position) {
    Object.assign(this, { key, label, position });
  }

  word() {
    const index = Buffer.alloc(8);
    index.writeBigUInt64BE(BigInt(Math.floor(this.position / 8)));
    const message = [Buffer.from("gusher/draw/v1\n"), sized(Buffer.from(this.label)), index];
    const block = hmac(this.key, Buffer.concat(message));
    return block.readUInt32BE(4 * (this.position++ % 8));
  }

  below(n) {
    const limit = 2 ** 32 - (2 ** 32 % n);
    for (;;) {
      const x = this.word();
      if (x < limit) return x % n;
    }
  }

  /** The first `steps` steps of a shuffle, from the end of the list down. */
  settle(items, steps) {
    const list = [...items];
    for (let i = list.length - 1; i > 0 && i >= list.length - steps; i--) {
      const j = this.below(i + 1);
      [list[i], list[j]] = [list[j], list[i]];
    }
    return list;
  }

  shuffle(items) {
    return this.settle(items, items.length - 1);
  }

  choose(k, items) {
    return this.settle(items, k).reverse().slice(0, k);
  }

  weighted(weights) {
    const r = this.below(weights.reduce((sum, weight) => sum + weight, 0));
    let sum = 0;
    return weights.findIndex((weight) => (sum += weight) > r);
  }
}
