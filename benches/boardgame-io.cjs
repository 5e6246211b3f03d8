// Random games of tic-tac-toe per second in boardgame.io, for comparison with benches/explorer.rs.
//
//     npm install boardgame.io     # in any folder, which is then the current one
//     node .../benches/boardgame-io.cjs [SECONDS]
//
// Two ways to play: moves through the reducer, which is what a client does without its display, and
// `Simulate` with two `RandomBot`s, which is how boardgame.io itself plays random games.
const { createRequire } = require("node:module");
const load = createRequire(process.cwd() + "/");
const { INVALID_MOVE } = load("boardgame.io/core");
const { InitializeGame, CreateGameReducer } = load("boardgame.io/internal");
const { Simulate, RandomBot } = load("boardgame.io/ai");

const LINES = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
];
const isWon = (cells) =>
  LINES.some((line) => cells[line[0]] !== null && line.every((n) => cells[n] === cells[line[0]]));
const free = (cells) => [...cells.keys()].filter((n) => cells[n] === null);

const game = {
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, n) => {
      if (G.cells[n] !== null) return INVALID_MOVE;
      G.cells[n] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (isWon(G.cells)) return { winner: ctx.currentPlayer };
    if (G.cells.every((cell) => cell !== null)) return { draw: true };
  },
  ai: { enumerate: (G) => free(G.cells).map((n) => ({ move: "clickCell", args: [n] })) },
};

const move = (n, playerID) => ({
  type: "MAKE_MOVE",
  payload: { type: "clickCell", args: [n], playerID },
});

function reducerGame() {
  const reducer = CreateGameReducer({ game, isClient: false });
  let state = InitializeGame({ game, numPlayers: 2 });
  let moves = 0;
  while (state.ctx.gameover === undefined) {
    const cells = free(state.G.cells);
    const n = cells[Math.floor(Math.random() * cells.length)];
    state = reducer(state, move(n, state.ctx.currentPlayer));
    moves += 1;
  }
  return moves;
}

async function simulatedGame() {
  const bots = { 0: new RandomBot({ game, enumerate: game.ai.enumerate }) };
  bots[1] = new RandomBot({ game, enumerate: game.ai.enumerate });
  const state = InitializeGame({ game, numPlayers: 2 });
  const { state: end } = await Simulate({ game, bots, state, depth: 100 });
  if (end.ctx.gameover === undefined) throw new Error("the game has not ended");
  return end.ctx.turn;
}

async function measure(name, play, seconds) {
  for (let n = 0; n < 50; n++) await play();
  let [games, moves] = [0, 0];
  const start = process.cpuUsage();
  let used = 0;
  while (used < seconds) {
    for (let n = 0; n < 20; n++) {
      moves += await play();
      games += 1;
    }
    const { user, system } = process.cpuUsage(start);
    used = (user + system) / 1e6;
  }
  const rate = (count) => Math.round(count / used).toLocaleString("en");
  console.log(`boardgame.io, ${name}: ${rate(games)} games/s, ${rate(moves)} moves/s of processor time`);
}

(async () => {
  const seconds = Number(process.argv[2] ?? 3);
  await measure("reducer", reducerGame, seconds);
  await measure("Simulate with RandomBot", simulatedGame, seconds);
})();
