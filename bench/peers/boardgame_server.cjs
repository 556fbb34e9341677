// boardgame.io as its documentation starts it: `node boardgame_server.cjs PORT memory|FOLDER`.
const { Server, FlatFile, Origins } = require("boardgame.io/server");

const [port, store] = process.argv.slice(2);

// A small game whose state is about as large as a board's public part. One move ends the turn.
const race = {
  name: "race",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ tracks: Array.from({ length: 24 }, (_, number) => ({ number, owner: null, price: 100 })), cash: [500, 500], count: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    choose: ({ G, playerID }, track, amount) => {
      if (!(track >= 0 && track < G.tracks.length)) return "INVALID_MOVE";
      G.tracks[track].owner = playerID;
      G.tracks[track].price = amount;
      G.count += 1;
    },
  },
};

const options = { games: [race], origins: [Origins.LOCALHOST] };
if (store !== "memory") options.db = new FlatFile({ dir: store });
const silent = () => {};
console.info = silent;
console.log = silent;
Server(options).run({ port: Number(port), host: "127.0.0.1" });
