// Plays over boardgame.io's own socket: `node boardgame_client.cjs PORT CONNECTIONS`. Each line of the standard input is
// a number of moves: they are made in new matches, one for each connection, which plays both sides and has one move under
// way. For each line a line of JSON.
const { io } = require("socket.io-client");
const readline = require("node:readline");
const { performance } = require("node:perf_hooks");

const [port, connections] = process.argv.slice(2).map(Number);
const url = `http://127.0.0.1:${port}`;

async function post(path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/games/race/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function sitDown() {
  const { matchID } = await post("create", { numPlayers: 2 });
  const credentials = [];
  for (const playerID of ["0", "1"]) {
    const joined = await post(`${matchID}/join`, { playerID, playerName: `player ${playerID}` });
    credentials.push(joined.playerCredentials);
  }
  const socket = io(`${url}/race`, { transports: ["websocket"], forceNew: true });
  const table = { matchID, credentials, socket, state: null, heard: null };
  socket.on("sync", (_, { state }) => hear(table, state));
  socket.on("update", (_, state) => hear(table, state));
  await new Promise((resolve) => socket.on("connect", resolve));
  const first = new Promise((resolve) => (table.heard = resolve));
  socket.emit("sync", matchID, "0", credentials[0], 2);
  await first;
  return table;
}

function hear(table, state) {
  table.state = state;
  const heard = table.heard;
  table.heard = null;
  if (heard) heard();
}

async function move(table, number) {
  const playerID = table.state.ctx.currentPlayer;
  const action = {
    type: "MAKE_MOVE",
    payload: { type: "choose", args: [number % 24, number], playerID, credentials: table.credentials[Number(playerID)] },
  };
  const heard = new Promise((resolve) => (table.heard = resolve));
  table.socket.emit("update", action, table.state._stateID, table.matchID, playerID);
  await heard;
}

async function round(moves) {
  const tables = await Promise.all(Array.from({ length: connections }, sitDown));
  const single = [];
  let left = moves;
  const began = performance.now();
  await Promise.all(
    tables.map(async (table) => {
      while (left > 0) {
        left -= 1;
        const start = performance.now();
        await move(table, left);
        single.push((performance.now() - start) / 1000);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  if (!(tables[0].state.G.count > 0)) throw new Error("no move was made");
  for (const table of tables) table.socket.disconnect();
  return { count: single.length, seconds, single };
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    process.stdout.write(JSON.stringify(await round(Number(line))) + "\n");
  }
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
